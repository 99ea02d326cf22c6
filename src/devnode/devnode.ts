import type { ChainNetwork } from '../model/network.js'
import type { DevnodeAccount } from './accounts.js'
import type { Faults } from './faults/faults.js'
import type { DevnodeTruth } from './truth.js'
import type { DevnodeConnection } from './server/rpc-process.js'
import type { DevnodeUrls } from './servers.js'
import type { DevnodeVerbs } from './verbs.js'

/** A Kaspa network in this process: one node, in memory, that speaks the node's own protocol on real sockets. */
export interface Devnode extends DevnodeVerbs {
  readonly network: ChainNetwork
  readonly urls: DevnodeUrls
  /** Funded at genesis; their keys are public. */
  readonly accounts: readonly DevnodeAccount[]
  /** Milliseconds from one block to the next; 0: on demand. */
  readonly blockInterval: number
  /** What goes wrong, by command or by seed. */
  readonly faults: Faults
  /** What a perfect client would know. */
  readonly truth: DevnodeTruth
  /** Who is connected over RPC, and subscribed to what: for tests that look for what was left behind. */
  connections(): readonly DevnodeConnection[]
  /** How many TCP connections stand at the RPC ports, those among them that are no client, or not yet. */
  sockets(): number
  /** Ends the RPC servers and starts them again, on the same ports and over the same ledger; nobody listens for `downtime` ms (0). */
  restart(options?: { readonly downtime?: number | undefined }): Promise<void>
  /** Ends every connection, timer and fault; the process may then exit. Safe to call twice. */
  close(): Promise<void>
}
