import { serveStdio } from "bowline/stdio";
import { openChosenStore } from "./folder.ts";
import { createNotesServer } from "./server.ts";

serveStdio(await createNotesServer(await openChosenStore()));
