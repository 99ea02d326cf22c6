import type { HttpHandler } from '../http.js'
import type { LiveLedger } from '../live-ledger.js'

/** The indexer's REST side over the ledger. No endpoint is served yet: each is answered as the indexer answers what it does not know. */
export function createRest(_live: LiveLedger): HttpHandler {
  return () => ({
    status: 404,
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body: JSON.stringify({ detail: 'Not Found' }),
  })
}
