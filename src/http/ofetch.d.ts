// ofetch's published types speak of the platform's `Headers` and `Response`. What it really asks of them is this: it makes
// the headers, hands on the options it does not know, and gives back what came.
declare module 'ofetch' {
  interface Asked {
    responseType: 'stream';
    ignoreResponseError: true;
    retry: 0;
  }

  export function createFetch<Headers, Options extends object, Response>(parts: {
    fetch: (url: string, options: Options & { headers: Headers }) => Promise<Response>;
    Headers: new (fields: Readonly<Record<string, string>>) => Headers;
  }): {
    raw: (
      this: void,
      url: string,
      options: Asked & Options & { headers: Readonly<Record<string, string>> },
    ) => Promise<Response>;
  };
}
