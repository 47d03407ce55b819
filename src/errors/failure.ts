/** The codes of expected errors. `isProtocolError` and `exitCode` depend on them. */
export type FailureCode =
  | 'usage' // the command line cannot be parsed
  | 'setting' // a flag or variable has an invalid value
  | 'argument' // the arguments of a tool do not match its schema
  | 'unknown-tool' // the tool does not exist, or its toolset is disabled
  | 'refused' // a rule of a toolset forbids the call
  | 'upstream' // the backend returned an error response
  | 'network' // the backend could not be reached
  | 'malformed'; // the response of the backend cannot be parsed

const protocolErrors: ReadonlySet<FailureCode> = new Set(['network', 'malformed']);

export class Failure extends Error {
  readonly code: FailureCode;
  /** The next step for the model or the user. */
  readonly hint: string | undefined;
  /** Toolsets that report errors as JSON objects set this field. The client gets this object instead of the message. */
  readonly report: Readonly<Record<string, unknown>> | undefined;
  /** The HTTP status of the backend's response, for the log. */
  readonly status: number | undefined;

  constructor(
    code: FailureCode,
    sentence: string,
    options: { hint?: string; report?: Readonly<Record<string, unknown>>; status?: number; cause?: unknown } = {},
  ) {
    // An expected error is reported without its stack trace, and capturing one takes several microseconds.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(sentence, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Failure';
    this.code = code;
    this.hint = options.hint;
    this.report = options.report;
    this.status = options.status;
  }

  /**
   * Returns the next step for a user of the command line: the hint, or the property `suggestion` of the error object.
   */
  get remedy(): string | undefined {
    const suggestion = this.report?.['suggestion'];
    return this.hint ?? (typeof suggestion === 'string' ? suggestion : undefined);
  }

  /**
   * Returns true if the server reports the error as a JSON-RPC error. Every other error becomes a tool result with
   * `isError`, to which the model can react.
   */
  get isProtocolError(): boolean {
    return protocolErrors.has(this.code);
  }

  /** Returns the exit code of the command line for this error. */
  get exitCode(): number {
    return this.code === 'usage' ? 2 : 1;
  }
}
