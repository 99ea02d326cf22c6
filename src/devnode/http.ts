/** A request, read whole. What REST and control handle; how it arrived is the server's business. */
export interface HttpRequest {
  readonly method: string
  /** Percent-decoding is left to the handler: `/addresses/kaspasim%3Aq…` stays as sent. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** As text; the server writes it in the `content-encoding` that the headers name. */
  readonly body?: string | undefined
}

/** Answers one request; never rejects for anything that a client may send. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
