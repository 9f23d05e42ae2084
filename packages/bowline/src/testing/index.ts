export {
  rehearse,
  type Question,
  type Rehearsal,
  type RehearsedRound,
  type RehearseOptions,
} from "./rehearse.ts";
