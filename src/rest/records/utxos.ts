import { isRecord, decodeShape, type Shape, type WireRecord } from '../decoding/shape.js'

export interface ChainRestOutpoint {
  transactionId?: string
  index?: number
}

export interface ChainRestScriptPublicKey {
  version?: number
  /** Hex. */
  script?: string
}

/** A UTXO without its outpoint. Amount (sompi) and score are decimal text for `BigInt`. */
export interface ChainRestUtxoModel {
  amount?: string
  scriptPublicKey: ChainRestScriptPublicKey
  blockDaaScore?: string
  isCoinbase?: boolean
}

/** A UTXO with its outpoint and address. */
export interface ChainRestUtxoResponse {
  address?: string
  outpoint: ChainRestOutpoint
  utxoEntry: ChainRestUtxoModel
}

export interface ChainRestUtxoCountResponse {
  count: number
}

/** The server names the script `scriptPublicKey` and omits the version; nodes accept only 0. */
function renameScript(record: WireRecord): void {
  if (!isRecord(record.scriptPublicKey)) return // the shape check rejects it
  const { scriptPublicKey, version, ...others } = record.scriptPublicKey
  record.scriptPublicKey = { ...others, version: version ?? 0, script: others.script ?? scriptPublicKey }
}

export const utxos: Shape<ChainRestUtxoResponse[]> = {
  each: {
    has: {
      outpoint: { may: { transactionId: 'text', index: 'u32' } },
      utxoEntry: {
        rename: renameScript,
        has: { scriptPublicKey: { may: { version: 'u32', script: 'text' } } },
        may: { amount: 'sompiDigits', blockDaaScore: 'countDigits', isCoinbase: 'flag' },
      },
    },
    may: { address: 'text' },
  },
}

export const utxoCount: Shape<ChainRestUtxoCountResponse> = { has: { count: 'count' } }

/** The UTXOs of one address, and whether an empty list may mean "too many". */
export interface UtxoList {
  readonly entries: ChainRestUtxoResponse[]
  readonly mayBeTruncated: boolean
}

/** An empty list that is cacheable for more than 8 s may mean "too many": the server grants those a minute. */
export function utxoList(body: unknown, headers: Headers): UtxoList {
  const entries = decodeShape(utxos, body)
  const maxAge = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]
  return { entries, mayBeTruncated: entries.length === 0 && !(Number(maxAge) <= 8) }
}
