/** A wait that can be ended early. */
export class Pause {
  #end: (() => void) | undefined;

  /** Ends the wait, if one is under way. */
  end(): void {
    this.#end?.();
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
