/** A vitest reporter that ends every run with the one line all measuring commands here end with. */
import { closingLine } from "./closing-line.mjs";

// vitest constructs the default export of a reporter module.
// oxlint-disable-next-line import/no-default-export
export default class ClosingLineReporter {
  #line;

  /** Called once a run is over, also when a module could not be loaded or an error escaped a test. */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[stateOf(test)] += 1;
      counts.failed += module.errors().length;
    }
    if (this.#line === undefined)
      process.once("exit", () => process.stdout.write(`${this.#line}\n`));
    this.#line = closingLine(counts);
  }
}

function stateOf(test) {
  const { state } = test.result();
  return state === "passed" || state === "failed" ? state : "skipped";
}
