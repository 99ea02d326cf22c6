import { isRecord, type Shape, type WireRecord } from '../decoding/shape.js'

/** Sync state of the indexer's database. */
export interface ChainRestDBCheckStatus {
  isSynced?: boolean
  blueScore?: number
  /** Blue scores behind the node. */
  blueScoreDiff?: number
  /** Unix milliseconds. */
  acceptedTxBlockTime?: number
  /** Seconds. */
  acceptedTxBlockTimeDiff?: number
}

/** A node behind the indexer. */
export interface ChainRestChaindResponse {
  /** A label, not a host name; empty if the server has none. */
  chaindHost: string
  serverVersion?: string
  isUtxoIndexed?: boolean
  isSynced?: boolean
  /** SHA-256 of the node's id, hex. */
  p2pId?: string
  blueScore?: number
}

/** Nodes and database behind the indexer. */
export interface ChainRestHealthResponse {
  chaindServers: ChainRestChaindResponse[]
  database: ChainRestDBCheckStatus
}

/** The indexer's node. */
export interface ChainRestChaindInfoResponse {
  /** Decimal text; it lags. */
  mempoolSize: string
  serverVersion: string
  isUtxoIndexed: boolean
  isSynced: boolean
  p2pIdHashed: string
}

/** Renames `kaspad…` fields to `chaind…`. */
function renameServers(record: WireRecord): void {
  const { kaspadServers } = record
  delete record.kaspadServers
  record.chaindServers = kaspadServers
}

function renameHost(record: WireRecord): void {
  const { kaspadHost } = record
  delete record.kaspadHost
  record.chaindHost = kaspadHost ?? ''
}

export const health: Shape<ChainRestHealthResponse> = {
  rename: renameServers,
  has: {
    chaindServers: {
      each: {
        rename: renameHost,
        has: { chaindHost: 'text' },
        may: { serverVersion: 'text', isUtxoIndexed: 'flag', isSynced: 'flag', p2pId: 'text', blueScore: 'count' },
      },
    },
    database: {
      may: {
        isSynced: 'flag',
        blueScore: 'count',
        blueScoreDiff: 'int',
        acceptedTxBlockTime: 'time',
        acceptedTxBlockTimeDiff: 'float',
      },
    },
  },
}

/** Whether a 503 is an unhealthy report, not a disabled endpoint. */
export const isHealthReport = (status: number, body: unknown): boolean =>
  status === 503 && isRecord(body) && 'kaspadServers' in body

export const chaindInfo: Shape<ChainRestChaindInfoResponse> = {
  has: {
    mempoolSize: 'countDigits',
    serverVersion: 'text',
    isUtxoIndexed: 'flag',
    isSynced: 'flag',
    p2pIdHashed: 'text',
  },
}
