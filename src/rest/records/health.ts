import { isRecord, type Shape, type WireRecord } from '../reading/shape.js'

/** How far the indexer's database is. */
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
  /** A label, not a host name; empty where the server has none. */
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

/** The node that the indexer asks. */
export interface ChainRestChaindInfoResponse {
  /** Decimal text; it lags. */
  mempoolSize: string
  serverVersion: string
  isUtxoIndexed: boolean
  isSynced: boolean
  p2pIdHashed: string
}

/** Our name for what the server calls by its node's. */
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
        may: { serverVersion: 'text', isUtxoIndexed: 'flag', isSynced: 'flag', p2pId: 'text', blueScore: 'int' },
      },
    },
    database: {
      may: {
        isSynced: 'flag',
        blueScore: 'int',
        blueScoreDiff: 'int',
        acceptedTxBlockTime: 'int',
        acceptedTxBlockTimeDiff: 'float',
      },
    },
  },
}

/** Whether an answer of status 503 tells of an unhealthy server, in place of a switched-off endpoint. */
export const isHealthReport = (status: number, body: unknown): boolean =>
  status === 503 && isRecord(body) && 'kaspadServers' in body

export const chaindInfo: Shape<ChainRestChaindInfoResponse> = {
  has: { mempoolSize: 'digits', serverVersion: 'text', isUtxoIndexed: 'flag', isSynced: 'flag', p2pIdHashed: 'text' },
}
