/** The command has done what it could, and has said what is missing; exit code 1. */
export class Incomplete extends Error {
  override name = 'Incomplete';
}
