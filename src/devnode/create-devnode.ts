import { NETWORKS } from '../model/network.js'
import { deriveAccounts, type DevnodeAccount } from './accounts.js'
import { createControl } from './control/control.js'
import type { Devnode } from './devnode.js'
import { createFaults } from './faults/faults.js'
import type { HttpHandler } from './http.js'
import { createLedger, type Ledger } from './ledger/ledger.js'
import { createLiveLedger } from './live-ledger.js'
import { createMiner } from './miner.js'
import { resolveOptions, type DevnodeOptions, type ResolvedOptions } from './options.js'
import { createPeers, type Peers } from './peers.js'
import { createRandom } from './random.js'
import { createRest } from './rest/rest.js'
import { createIdentity, NODE_VERSION } from './server/identity.js'
import { openServers } from './servers.js'
import { createExpectedState } from './expected-state.js'
import { createMethods } from './methods.js'

/**
 * Starts a network of one node; resolves when all of its servers listen. Any number may run side by side.
 * Rejects with `ChainError` (`invalid-option`) for an invalid option or a port in use.
 */
export async function createDevnode(options?: DevnodeOptions): Promise<Devnode> {
  const settings = resolveOptions(options)
  const accounts = deriveAccounts(settings.accounts, NETWORKS[settings.network].addressPrefix)
  return startDevnode({ settings, accounts, ledger: openLedger(settings, accounts), peers: createPeers() })
}

interface NodeParts {
  readonly settings: ResolvedOptions
  readonly accounts: readonly DevnodeAccount[]
  readonly ledger: Ledger
  readonly peers: Peers
}

async function startDevnode({ settings, accounts, ledger, peers }: NodeParts): Promise<Devnode> {
  const live = createLiveLedger(ledger, settings.now)
  const mine = () => void live.apply((ledger, now) => ledger.mine({ now }))
  const miner = createMiner(settings.blockInterval, mine)
  const { faults, layer } = createFaults({
    random: createRandom(settings.seed),
    targets: () => servers.rpc.targets(),
    pauseMining: () => miner.pause(),
    resumeMining: () => miner.resume(),
    mine,
  })
  const identity = createIdentity(settings.seed)
  const rest = createRest(live, identity)
  const control: HttpHandler = (request) => createControl(devnode)(request)
  const servers = await openServers(settings, {
    rpc: { live, identity, faults: layer },
    rest: (request) => layer.rest(request) ?? rest(request),
    control,
  })
  miner.start()
  const devnode: Devnode = {
    ...createMethods(live, peers),
    network: settings.network,
    urls: servers.urls,
    accounts,
    blockInterval: settings.blockInterval,
    faults,
    expected: createExpectedState(live),
    connections: () => servers.rpc.connections(),
    sockets: () => servers.rpc.sockets(),
    restart: ({ downtime = 0, snapshot } = {}) =>
      servers.rpc.restart(downtime, () => {
        if (snapshot !== undefined) live.apply((stopped) => stopped.revert(snapshot))
      }),
    async fork({ snapshot, ...own } = {}) {
      return startDevnode({
        settings: resolveOptions({ ...settings, ...FREE_PORTS, seed: settings.seed + 1, ...own }),
        accounts,
        ledger: ledger.fork({ extraData: peers.nextExtraData(), snapshot }),
        peers,
      })
    },
    async close() {
      miner.stop()
      faults.clear()
      await servers.close()
    },
  }
  peers.add(devnode, ledger)
  return devnode
}

const FREE_PORTS = { borshPort: 0, jsonPort: 0, restPort: 0, controlPort: 0 }

/** Several UTXOs an account, so that several payments can be made before the first is accepted. */
const UTXOS_PER_ACCOUNT = 10n

/** The balance that `fund` pays from: 100 million KAS. */
const FAUCET = 10_000_000_000_000_000n

function openLedger({ network, balance, utxos }: ResolvedOptions, accounts: readonly DevnodeAccount[]): Ledger {
  const genesisUtxos = [...accounts.flatMap(({ address }) => split(address, balance)), ...utxos]
  return createLedger({ network, nodeVersion: NODE_VERSION, genesisUtxos, faucet: FAUCET })
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
