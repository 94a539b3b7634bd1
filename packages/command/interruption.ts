/** The command was stopped by a signal. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Interrupted. Run the same command again to continue.');
    this.exitCode = exitCode;
  }
}
