import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

const MOST_NAMED = 10;
const LONGEST = 200;
/** A longer report is of a great many mistakes, or of very long names: reading it would take long, and help nobody. */
const LONGEST_REPORT = 8_192;

/** As the SDK reports parameters that do not have the form of their method: as JSON, behind its own words. */
const reportBegins = /^(?:Invalid \S+ request: )?\[/;
const report = /^(?:Invalid \S+ request: )?(\[[\s\S]*\])$/;
const issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }));

/** A server that explains wrong parameters in words, and that it is the client's mistake. */
export class WordedServer extends Server {
  protected override _wrapHandler(
    ...[method, handler]: Parameters<Server['_wrapHandler']>
  ): ReturnType<Server['_wrapHandler']> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw invalidParams(error) ?? error;
      }
    };
  }
}

function invalidParams(error: unknown): ProtocolError | null {
  if (!(error instanceof Error) || !reportBegins.test(error.message)) return null;
  if (error.message.length > LONGEST_REPORT)
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'params: have too many mistakes, or too long names, to tell them. Send them in the form of the method.',
    );
  const found = report.exec(error.message)?.[1];
  const { data } = issues.safeParse(found === undefined ? null : parsed(found));
  if (data === undefined || data.length === 0) return null;
  const named = data.slice(0, MOST_NAMED).map(({ path, message }) => {
    const [, ...inner] = path;
    return `${inner.join('.').slice(0, LONGEST).toWellFormed() || 'params'}: ${message}`;
  });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, named.join('\n'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
