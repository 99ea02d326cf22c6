import { isRecord, readShape, type Shape, type WireRecord } from '../reading/shape.js'

export interface ChainRestOutpoint {
  transactionId?: string
  index?: number
}

export interface ChainRestScriptPublicKey {
  version?: number
  /** Hex. */
  script?: string
}

/** An unspent output without its place. Amount (sompi) and score are decimal text: read them with `BigInt`. */
export interface ChainRestUtxoModel {
  amount?: string
  scriptPublicKey: ChainRestScriptPublicKey
  blockDaaScore?: string
  isCoinbase?: boolean
}

/** An unspent output and where it stands. */
export interface ChainRestUtxoResponse {
  address?: string
  outpoint: ChainRestOutpoint
  utxoEntry: ChainRestUtxoModel
}

export interface ChainRestUtxoCountResponse {
  count: number
}

/** The server calls the script `scriptPublicKey` and leaves the version out; 0 is the only one that nodes accept. */
function renameScript(record: WireRecord): void {
  if (!isRecord(record.scriptPublicKey)) return // which is then refused as it is
  const { scriptPublicKey, version, ...rest } = record.scriptPublicKey
  record.scriptPublicKey = { ...rest, version: version ?? 0, script: rest.script ?? scriptPublicKey }
}

export const utxos: Shape<ChainRestUtxoResponse[]> = {
  each: {
    has: {
      outpoint: { may: { transactionId: 'text', index: 'int' } },
      utxoEntry: {
        rename: renameScript,
        has: { scriptPublicKey: { may: { version: 'int', script: 'text' } } },
        may: { amount: 'digits', blockDaaScore: 'digits', isCoinbase: 'flag' },
      },
    },
    may: { address: 'text' },
  },
}

export const utxoCount: Shape<ChainRestUtxoCountResponse> = { has: { count: 'int' } }

/** The outputs of one address, and whether the list may be empty because it would be too long. */
export interface UtxoList {
  readonly entries: ChainRestUtxoResponse[]
  readonly isDoubtful: boolean
}

/** An empty list is believed if it may be kept for 8 s or less: one that stands for "too many" is given a minute. */
export function utxoList(body: unknown, headers: Headers): UtxoList {
  const entries = readShape(utxos, body)
  const maxAge = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]
  return { entries, isDoubtful: entries.length === 0 && !(Number(maxAge) <= 8) }
}
