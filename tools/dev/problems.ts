/** A problem that a line of a process's output reports. */
export interface Problem {
  readonly text: string;
  readonly fatal: boolean;
}

const WARNING = 40;
const ERROR = 50;
const LONGEST = 240;
const PER_WINDOW = 5;
const WINDOW_MS = 10_000;

/** Finds a problem in a line: a warning or error of the JSON log, or plain text that mentions an error. */
export function problemOf(line: string): Problem | null {
  if (line.startsWith('{')) {
    try {
      const { level, msg, err } = JSON.parse(line) as {
        level?: number;
        msg?: string;
        err?: { message?: string };
      };
      if (level === undefined || level < WARNING) return null;
      const text = [msg, err?.message].filter((part) => part !== undefined && part !== '').join(': ');
      return { text: text.slice(0, LONGEST), fatal: level >= ERROR };
    } catch {
      // The line is not JSON after all.
    }
  }
  const text = plainText(line);
  return /\b(\w*error|fatal|panic)\b/i.test(text) ? { text, fatal: true } : null;
}

/** A line meant for people, shortened; empty for a line of the log, a stack trace or a banner. */
export function plainText(line: string): string {
  if (/^\s+at |^Node\.js v|^\{"/.test(line)) return '';
  return line.trim().slice(0, LONGEST);
}

/** Shows a process's problems on the terminal, a few at a time: while a server is down, every request reports one. */
export class ProblemDisplay {
  readonly #name: string;
  readonly #logFile: string;
  #windowEnds = 0;
  #shown = 0;

  constructor(name: string, logFile: string) {
    this.#name = name;
    this.#logFile = logFile;
  }

  show({ text, fatal }: Problem): void {
    const now = Date.now();
    if (now > this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#shown = 0;
    }
    this.#shown += 1;
    if (this.#shown <= PER_WINDOW) console.log(`${this.#name} ${fatal ? 'error' : 'warning'}: ${text}`);
    if (this.#shown === PER_WINDOW + 1) console.log(`${this.#name}: more of these in ${this.#logFile}`);
  }
}
