import { NETWORKS } from '../model/network.js'
import { deriveAccounts, type DevnodeAccount } from './accounts.js'
import { createDevnodeContracts } from './contracts.js'
import { createControl } from './control/control.js'
import {
  type DevnodeBase,
  type ServerParts,
  type Servers,
  resolveOptions,
  type DevnodeForkOptions,
  type ResolvedOptions,
} from './devnode.js'
import { createExpectedState, createLiveLedger, createPeers, type Peers } from './live-ledger.js'
import { createFaults } from './faults/faults.js'
import type { HttpHandler } from './http.js'
import { createLedger, type Ledger } from './ledger/ledger.js'
import { type Machine, type Timers, createRandom, createIdentity, NODE_VERSION } from './machine.js'
import { createMethods } from './methods.js'
import { createRest } from './rest/rest.js'

/** A node's state and settings, before it is served. */
export interface NodeParts {
  readonly settings: ResolvedOptions
  readonly accounts: readonly DevnodeAccount[]
  readonly ledger: Ledger
  readonly peers: Peers
}

/** What differs between a node with sockets and one in memory, besides its servers. */
interface NodeEnvironment {
  readonly timers: Timers
  readonly machine: Machine
}

/** A node that is not served yet. */
interface UnservedNode {
  /** For its servers. They may call it after `start`. */
  readonly served: ServerParts
  /** The running node, as `complete` returns it. */
  readonly start: <D extends DevnodeBase>(servers: Servers, complete: (node: DevnodeBase, forkOf: ForkOf) => D) => D
}

/** The parts of a fork, with free ports unless the options name others. */
type ForkOf = (options?: DevnodeForkOptions) => NodeParts

/** A node at genesis, the first of its network. */
export function openNode(settings: ResolvedOptions): NodeParts {
  const accounts = deriveAccounts(settings.accounts, NETWORKS[settings.network].addressPrefix)
  return { settings, accounts, ledger: openLedger(settings, accounts), peers: createPeers() }
}

export function createNode(parts: NodeParts, { timers, machine }: NodeEnvironment): UnservedNode {
  const { settings, accounts, ledger, peers } = parts
  let running: { readonly servers: Servers; readonly devnode: DevnodeBase } | undefined
  const live = createLiveLedger(ledger, settings.now)
  const mine = () => void live.apply((current, now) => current.mine({ now }))
  const miner = createMiner(settings.blockInterval, timers, mine)
  const { faults, layer } = createFaults({
    random: createRandom(settings.seed),
    timers,
    targets: () => running?.servers.rpc.targets() ?? [],
    pauseMining: () => miner.pause(),
    resumeMining: () => miner.resume(),
    mine,
  })
  const identity = createIdentity(settings.seed)
  const rest = createRest(live, identity)
  const control: HttpHandler = (request) =>
    running === undefined ? NOT_STARTED : createControl(running.devnode)(request)

  return {
    served: {
      rpc: { live, identity, faults: layer, timers, machine },
      rest: (request) => layer.rest(request) ?? rest(request),
      control,
    },
    start(servers, complete) {
      const node: DevnodeBase = {
        ...createMethods(live, peers),
        network: settings.network,
        urls: servers.urls,
        accounts,
        blockInterval: settings.blockInterval,
        faults,
        contracts: createDevnodeContracts(live),
        expected: createExpectedState(live),
        connections: () => servers.rpc.connections(),
        sockets: () => servers.rpc.sockets(),
        restart: ({ downtime = 0, snapshot } = {}) =>
          servers.rpc.restart(downtime, () => {
            if (snapshot !== undefined) live.apply((stopped) => stopped.revert(snapshot))
            live.ledger.restart()
          }),
        async close() {
          miner.stop()
          faults.clear()
          await servers.close()
        },
      }
      const devnode = complete(node, ({ snapshot, ...own } = {}) => ({
        settings: resolveOptions({ ...settings, ...FREE_PORTS, seed: settings.seed + 1, ...own }),
        accounts,
        ledger: ledger.fork({ extraData: peers.nextExtraData(), snapshot }),
        peers,
      }))
      running = { servers, devnode }
      peers.add(devnode, ledger)
      miner.start()
      return devnode
    },
  }
}

const NOT_STARTED = { status: 503 }

const FREE_PORTS = { borshPort: 0, jsonPort: 0, restPort: 0, controlPort: 0 }

/** Several UTXOs an account, so that several payments can be made before the first is accepted. */
const UTXOS_PER_ACCOUNT = 10n

/** The balance that `fund` pays from: 100 million KAS. */
const FAUCET = 10_000_000_000_000_000n

function openLedger(
  { network, balance, utxos, onRefused }: ResolvedOptions,
  accounts: readonly DevnodeAccount[],
): Ledger {
  const genesisUtxos = [...accounts.flatMap(({ address }) => split(address, balance)), ...utxos]
  return createLedger({ network, nodeVersion: NODE_VERSION, genesisUtxos, faucet: FAUCET, onRefused })
}

/** Splits a balance into equal UTXOs; the first also has the remainder. */
function split(address: string, balance: bigint): readonly { readonly address: string; readonly amount: bigint }[] {
  const part = balance / UTXOS_PER_ACCOUNT
  const amounts = [
    balance - part * (UTXOS_PER_ACCOUNT - 1n),
    ...Array.from({ length: Number(UTXOS_PER_ACCOUNT) - 1 }, () => part),
  ]
  return amounts.filter((amount) => amount > 0n).map((amount) => ({ address, amount }))
}

/** Mines at a fixed interval. */
interface Miner {
  start(): void
  /** Pauses until `resume` has been called as often. */
  pause(): void
  resume(): void
  stop(): void
}

/**
 * Calls `mine` every `interval` ms while it is started and not paused; 0: never. Where mining takes longer than the
 * interval, the blocks that are late are left out.
 */
function createMiner(interval: number, timers: Timers, mine: () => void): Miner {
  let pauses = 0
  let cancel: (() => void) | undefined
  const mineAt = (due: number): void => {
    cancel = timers.after(Math.max(0, due - timers.now()), () => {
      mineAt(Math.max(due + interval, timers.now()))
      if (pauses === 0) mine()
    })
  }
  return {
    start() {
      if (interval > 0 && cancel === undefined) mineAt(timers.now() + interval)
    },
    pause: () => void (pauses += 1),
    resume: () => void (pauses -= 1),
    stop: () => cancel?.(),
  }
}
