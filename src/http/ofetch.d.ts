// The published types of ofetch require the platform's `Headers` and `Response`. This declaration has only the members
// that ofetch uses: it creates headers, passes unknown options on and returns the response of `fetch`.
declare module 'ofetch' {
  type Fields = Readonly<Record<string, string>>;

  interface FixedOptions {
    responseType: 'stream';
    ignoreResponseError: true;
    retry: 0;
  }

  export function createFetch<Headers, Options extends { headers: Fields }, Response>(parts: {
    fetch: (url: string, options: Omit<Options, 'headers'> & { headers: Headers }) => Promise<Response>;
    Headers: new (fields: Fields) => Headers;
  }): {
    raw: (this: void, url: string, options: Options & FixedOptions) => Promise<Response>;
  };
}
