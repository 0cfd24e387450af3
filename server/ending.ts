type Step = () => Promise<unknown> | undefined

/** What was started, to be ended in the opposite order. */
export class Ending {
  readonly #steps: Step[] = []

  add(step: Step): void {
    this.#steps.unshift(step)
  }

  /**
   * Ends everything, whatever fails on the way: a PostgreSQL is not left running because a connection did not close.
   * Throws the first failure once all has been tried. Called again, there is nothing left to do.
   */
  async run(): Promise<void> {
    const failures: unknown[] = []
    for (const step of this.#steps.splice(0)) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
