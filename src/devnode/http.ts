/** A complete request to the REST or the control endpoint, independent of the server. */
export interface HttpRequest {
  readonly method: string
  /** Percent-encoded, as sent: `/addresses/kaspasim%3Aq…`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text; the server applies the `content-encoding` of the headers. */
  readonly body?: string | undefined
}

/** Responds to one request; does not reject for any input. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
