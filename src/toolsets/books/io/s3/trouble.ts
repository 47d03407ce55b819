import { type Answer, TooSlow, UnreadableAnswer } from '../../../../transport.ts';
import { textOf } from './xml.ts';

/** 409: somebody else is at it. */
const passing: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);
const passingCodes: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown']);
/** Of credentials that end by themselves. */
const endedCodes: ReadonlySet<string> = new Set(['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired']);

/** The store has answered, and the answer is no. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  /** Not a number: the store has not said. */
  readonly dateMs: number;
  readonly #text: string;
  readonly #region: string | undefined;

  constructor({ status, headers }: Pick<Answer, 'headers' | 'status'>, text: string) {
    const region = headers['x-amz-bucket-region'];
    this.#region = typeof region === 'string' ? region : undefined;
    this.status = status;
    this.code = textOf(text, 'Code') ?? '';
    this.dateMs = Date.parse(headers.date ?? '');
    this.#text = text;
  }

  get mayPass(): boolean {
    return passing.has(this.status) || passingCodes.has(this.code);
  }

  /** The credentials are good, and have no right to do this. */
  get isDenial(): boolean {
    return this.status === 403 && (this.code === 'AccessDenied' || this.code === '');
  }

  /** Whether other credentials of the same kind may do; a refusal of a HEAD has no words, so it may be that. */
  isAboutTime(token: string | undefined): boolean {
    if (endedCodes.has(this.code)) return true;
    return token !== undefined && this.code === '' && (this.status === 400 || this.status === 403);
  }

  words(place: string, region: string): { sentence: string; suggestion: string } {
    const said = `${this.status}${this.code === '' ? '' : ` ${this.code}`}`;
    const own = textOf(this.#text, 'Region') ?? this.#region;
    if (own !== undefined && own !== region) {
      return {
        sentence: `The bucket of ${place} is in the region ${own}, not in ${region} (${said}).`,
        suggestion: `The user can set AWS_REGION=${own}.`,
      };
    }
    if (this.mayPass) {
      return { sentence: `The object store is busy or has a fault (${said}).`, suggestion: 'Try again in a moment.' };
    }
    if (this.code === 'RequestTimeTooSkewed') {
      return {
        sentence: `The clocks of this machine and of the object store are too far apart (${said}).`,
        suggestion: 'The user can set the clock of this machine.',
      };
    }
    if (endedCodes.has(this.code)) {
      return {
        sentence: `The credentials for the object store have ended (${said}).`,
        suggestion: 'The user can start the server with new ones, or with a profile or role that renews them.',
      };
    }
    const isKnown = this.code === 'AccessDenied' || this.status !== 403;
    return {
      sentence: `The object store refuses ${place} (${said}).`,
      suggestion: isKnown
        ? 'The user can check the bucket and the rights of its credentials.'
        : 'The user can check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN.',
    };
  }
}

/** There is no answer. */
export class Trouble {
  readonly mayPass = true;
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** What the network does, as opposed to a fault of ours. */
export function isTrouble(error: unknown): boolean {
  if (error instanceof TooSlow || error instanceof UnreadableAnswer) return true;
  return error instanceof Error && ('code' in error || error.message.startsWith('the connection was closed'));
}
