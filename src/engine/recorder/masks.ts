import { REDACTED } from '../../errors/redact.js'

/** What may be recorded of URLs and paths: nothing that can hold a credential. */

declare const masked: unique symbol

/** A URL without user, path and query: `wss://node.example:17110`. Only `toEndpoint` makes one. */
export type RecordedEndpoint = string & { readonly [masked]: 'endpoint' }

/** A path of the indexer with placeholders: `/addresses/{address}/balance`. Only `toRestPath` makes one. */
export type RestPath = string & { readonly [masked]: 'path' }

/** The origin of a URL. A path or a query, which may hold an access key of any form, is masked whole. */
export function toEndpoint(text: string): RecordedEndpoint {
  if (!URL.canParse(text)) return REDACTED as RecordedEndpoint
  const { protocol, host, pathname, search } = new URL(text)
  const rest = (pathname === '/' || pathname === '') && search === '' ? '' : `/${REDACTED}`
  return `${protocol}//${host}${rest}` as RecordedEndpoint
}

/** The known words of a path; all other segments are placeholders, the query is left out. */
export function toRestPath(path: string): RestPath {
  const [bare = ''] = path.split(/[?#]/, 1)
  return bare.split('/').map(toSegment).join('/') as RestPath
}

function toSegment(segment: string): string {
  if (segment === '' || WORDS.has(segment)) return segment
  if (/^kaspa(test|sim|dev)?(:|%3a)/i.test(segment)) return '{address}'
  if (/^[\da-f]{64}$/i.test(segment)) return '{hash}'
  return '{…}'
}

/** Every word of the indexer's paths (`rest/endpoints`). */
const WORDS: ReadonlySet<string> = /*#__PURE__*/ new Set(
  /*#__PURE__*/ (
    'acceptance active addresses balance balances blockdag blockreward blocks blocks-from-bluescore coinsupply count ' +
    'distribution fee-estimate full-transactions full-transactions-page get-vscp-from-block halving hashrate health ' +
    'history info kaspad market-data marketcap mass max name names network price search top transactions ' +
    'transactions-count utxos virtual-chain virtual-chain-blue-score'
  ).split(' '),
)
