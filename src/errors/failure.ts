/** Every kind of failure we expect. A code also says how the failure leaves the program, see below. */
export type FailureCode =
  | 'usage' // the command line is not one we understand
  | 'setting' // a flag or variable has a value that cannot be used
  | 'argument' // a tool was called with arguments that do not fit
  | 'unknown-tool' // no such tool, or its toolset is off
  | 'refused' // a rule of a toolset says no
  | 'upstream' // the backend answered, and its answer is an error
  | 'network' // the backend could not be asked
  | 'malformed'; // the backend's answer cannot be read

const protocolErrors: ReadonlySet<FailureCode> = new Set(['network', 'malformed']);

export class Failure extends Error {
  readonly code: FailureCode;
  /** The next step, for whoever can take it. */
  readonly hint: string | undefined;
  /** For toolsets whose errors are objects: goes out as JSON in place of the sentence. */
  readonly report: Readonly<Record<string, unknown>> | undefined;
  /** The status of the backend's answer, for the log. */
  readonly status: number | undefined;

  constructor(
    code: FailureCode,
    sentence: string,
    options: { hint?: string; report?: Readonly<Record<string, unknown>>; status?: number; cause?: unknown } = {},
  ) {
    super(sentence, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = options.hint;
    this.report = options.report;
    this.status = options.status;
  }

  /** Leaves MCP as a JSON-RPC error; every other failure is a result the model can act on. */
  get isProtocolError(): boolean {
    return protocolErrors.has(this.code);
  }

  /** Leaves the command line with this exit code. */
  get exitCode(): number {
    return this.code === 'usage' ? 2 : 1;
  }
}
