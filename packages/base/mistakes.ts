/** Maps the dotted path of a field to its mistake and the right form. */
export type FieldMessages = Readonly<Record<string, string>>;

/** The most mistakes that one answer names (docs/spec/rulings.md, 14). */
export const MISTAKES = 100;

/** The maximum length of a path in an answer (docs/spec/rulings.md, 14). */
const PATH_LENGTH = 200;

/** The mistakes of a body: one message per dotted path (`faqs.0.question`). Its size is limited, whatever was sent. */
export class Mistakes {
  // Without a prototype, so that `__proto__` is an ordinary name.
  readonly fields: FieldMessages = Object.create(null) as FieldMessages;
  #count = 0;

  /** Whether the limit is reached, so that looking for more is pointless. */
  get isFull(): boolean {
    return this.#count >= MISTAKES;
  }

  /** The first message for a path wins. */
  add(path: readonly PropertyKey[], message: string): void {
    if (this.isFull) return;
    const name = nameOf(path);
    if (Object.hasOwn(this.fields, name)) return;
    (this.fields as Record<string, string>)[name] = message;
    this.#count += 1;
  }
}

/** Builds no more of a path than is shown: a path can be as long as a body, and there can be one for each value. */
function nameOf(path: readonly PropertyKey[]): string {
  let name = '';
  for (const [index, step] of path.entries()) {
    // Two UTF-16 units per character are enough, even if a surrogate pair is cut in half.
    name += (index === 0 ? '' : '.') + String(step).slice(0, 2 * PATH_LENGTH + 1);
    if (name.length > 2 * PATH_LENGTH) break;
  }
  const whole = showable(name);
  return whole.length <= PATH_LENGTH ? whole : [...whole].slice(0, PATH_LENGTH).join('');
}

/** Replaces characters that are not valid Unicode text by U+FFFD. */
const showable = (name: string): string => name.toWellFormed().replaceAll('\0', '\uFFFD');
