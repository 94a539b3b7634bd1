/** The command has done a part, and has named the rest; exit code 1. */
export class Incomplete extends Error {
  override name = 'Incomplete';
}
