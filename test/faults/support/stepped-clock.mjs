// Preloaded into the processes of the product by --import: moves the wall clock of API and worker, as an operator or a
// wrong time server does to a machine's, while they run. Timers go on undisturbed, as they do then. PostgreSQL and
// Temporal are other machines: theirs stay right.
import { readFileSync } from 'node:fs';

const file = process.env.STEPPED_CLOCK_FILE;
const name = /\/(api|worker)\/main\.ts$/.exec(process.argv[1] ?? '')?.[1];

if (file !== undefined && name !== undefined) {
  const RealDate = Date;
  let offset = 0;
  setInterval(() => {
    try {
      offset = JSON.parse(readFileSync(file, 'utf8'))[name] ?? 0;
    } catch {
      // It does not exist yet, or is being written.
    }
  }, 50).unref();
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(RealDate.now() + offset);
      else super(...given);
    }

    static now() {
      return RealDate.now() + offset;
    }
  };
}
