import { partsOf, feature } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { paymentChecks } from '../engine/features/own-payments.js'
import { invalidArgument, refuseUnknown } from '../errors/chain-error.js'
import { genesisMismatch } from '../errors/contract-errors.js'
import { engineDisposed } from '../errors/not-ready-error.js'
import { deferIteration, lazyMethods } from '../loading/lazy-methods.js'
import { loadCode } from '../loading/load-code.js'
import type { ContractArtifact } from '../model/contracts/artifact.js'
import type { Contract } from '../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../model/covenant-id.js'
import type { ContractRow } from '../model/contracts/rows.js'
import type { ContractName, ContractStateInput, ContractStateOf } from '../model/contracts/values.js'
import type { SerializedTransaction } from '../model/serialized-transaction.js'
import type {
  ContractCall,
  ContractPlan,
  ContractSettings,
  DeployPlan,
  DeploySettings,
} from '../operations/contracts/contract-call.js'
import type { ContractOperations } from '../operations/contracts/contract-transactions.js'
import type { PendingTx } from '../operations/transactions/records.js'
import type { FollowChainOptions } from '../streams/chain/options.js'
import type { ContractBatches } from '../streams/contracts/follow-contracts.js'
import type { SnapshotOutput, StartedCovenant } from '../streams/contracts/start-rows.js'
import { createStoreFollower, loadFollower, type Beginning, type StoreFollower } from './follow-store.js'
import { createInstanceStore, type InstanceStore, type StoreOptions } from './instance-store.js'
import { toInstance, type ContractInstance } from './instance.js'
import { createContractCheck } from './instance-rows.js'

/** Contracts on the network of an engine: plans, calls and instances. */
export interface Contracts {
  /**
   * Plans the genesis of a covenant with one output for a state, or for each state of a list. Nothing is signed or
   * sent. Rejects with `ChainError`: `invalid-argument`, `insufficient-funds`, `mass-exceeded` (with `smallest`),
   * `fee-too-high`, `managed-by-journal`, `contract-address`, `aborted`; with `ChainRpcError` where a call to the node
   * fails.
   */
  deploy<A extends ContractArtifact, N extends ContractName<A>>(
    contract: Contract<A, N>,
    state: ContractStateInput<A, N> | readonly ContractStateInput<A, N>[],
    settings: DeploySettings,
  ): Promise<DeployPlan<ContractStateOf<A, N>>>
  /**
   * Plans calls as one transaction, all or nothing, with one fee: executed here against the outputs that they spend, so
   * that compute budgets, masses and fee are exact. Nothing is signed or sent. Rejects as `deploy`, and with
   * `ChainError`: `contract-refused` (with `input`, `entry`, `reason`), `contract-moved` (with `covenantId`,
   * `spentBy`), `state-unknown`, `limit-exceeded`, `unsupported`.
   */
  transaction(calls: readonly ContractCall[], settings: ContractSettings): Promise<ContractPlan>
  /**
   * An instance of a contract, by the record of its genesis. Reads nothing. Throws `ChainError` (`genesis-mismatch`)
   * where the record proves another covenant than `covenantId` of the options.
   */
  instance<A extends ContractArtifact, N extends ContractName<A>>(
    contract: Contract<A, N>,
    genesis: GenesisRecord<ContractStateInput<A, N>>,
    options?: InstanceOptions,
  ): ContractInstance<A, N>
  /**
   * A transaction of an earlier process, from `onSigned` or `PendingTx.serialize()`, to be submitted, or signed first:
   * then the instances that it calls have to be named before (`instance`). Executes its scripts again and reserves its
   * inputs for ten minutes. Rejects with `ChainError`: `invalid-argument` where it was changed, or belongs to another
   * network; `state-unknown` for an unsigned one of an instance that was not named.
   */
  restore(serialized: SerializedTransaction): Promise<PendingTx>
  /**
   * The outputs and states of instances along the chain, in batches, each with a cursor to store with the rows: what a
   * reorg removed is undone first, also after a restart or on another node. Without `cursor` and `from` it begins with
   * what the UTXO set has now. Rejects as `followChain` does, and with `ChainRpcError` (`malformed`) for a transaction
   * that no node of the network accepts.
   */
  follow(options: FollowInstancesOptions): ContractBatches
}

/** An instance to follow. */
export interface FollowedInstance {
  readonly contract: { readonly templateHash: string }
  readonly genesis: GenesisRecord<unknown>
  /**
   * Unspent outputs at the beginning. With a cursor the rows that you stored with it; without one outputs of any
   * source, each of which is verified in the UTXO set. @default the outputs of the genesis
   */
  readonly snapshot?: readonly (ContractRow | SnapshotOutput)[] | undefined
}

export interface FollowInstancesOptions extends Omit<FollowChainOptions, 'detail'> {
  readonly instances: readonly FollowedInstance[]
}

export interface InstanceOptions extends Beginning {
  /** The covenant that is expected, hex. */
  readonly covenantId?: string | undefined
}

export interface ContractsOptions {
  readonly engine: ChainEngine
}

/**
 * Creates the contracts of an engine. Nothing is loaded before the first call. Throws `ChainError`
 * (`invalid-argument`).
 */
export function createContracts(options: ContractsOptions): Contracts {
  refuseUnknown(options, ['engine'])
  const core = partsOf(options.engine)
  const stores = new Map<string, KnownInstance>()
  const scripts = new Set<string>()
  feature(core, paymentChecks).add(createContractCheck(scripts))
  const successorOf: StoreOptions['successorOf'] = async (covenant, search) => {
    const load = loadFollower()
    const found = await load.catch(() => undefined) // the caller decides, as where the chain does not show it
    return found?.findSuccessor(options.engine, covenant, search)
  }
  const known = (contract: Contract, covenantId: string, genesis: GenesisRecord<unknown>): KnownInstance => {
    const existing = stores.get(covenantId)
    if (existing !== undefined && existing.store.target.contract.templateHash !== contract.templateHash)
      throw invalidArgument('contract', 'The covenant is an instance of another program already')
    const one =
      existing ??
      createKnown(options.engine, createInstanceStore({ contract, covenantId, genesis, scripts, successorOf }))
    stores.set(covenantId, one)
    return one
  }
  const load = async (): Promise<ContractOperations> => {
    const { createContractTransactions, dependenciesOf } = await loadCode(() => import('./planning.js'))
    return createContractTransactions({
      ...dependenciesOf(core),
      targetOf: (covenantId) => stores.get(covenantId)?.store.target,
      onBegun: (covenantId, { contract, genesis }, transactionId) => {
        const created = genesis.outputs.map(({ index, ...output }) => ({
          outpoint: { transactionId, index },
          ...output,
        }))
        known(contract, covenantId, genesis).store.target.relayed({ transactionId, spent: [], created, depth: 1 })
      },
    })
  }
  const operations = lazyMethods(['deploy', 'transaction', 'restore'], load, (_, run) => {
    if (core.lifetime.closed) throw engineDisposed()
    return run()
  })
  return {
    // the types of states are those of the contract
    deploy: (contract, state, settings) => operations.deploy(contract as never, state, settings) as never,
    transaction: operations.transaction,
    restore: operations.restore,
    instance(contract, genesis, given = {}) {
      refuseUnknown(given, ['covenantId', 'from', 'snapshot'])
      requireVerifiable(given)
      const covenantId = covenantIdOfGenesis(contract, genesis)
      if (given.covenantId !== undefined && given.covenantId !== covenantId)
        throw genesisMismatch({ computed: covenantId, given: given.covenantId })
      const one = known(contract as never, covenantId, genesis)
      if (given.from !== undefined || given.snapshot !== undefined) one.begin(given)
      return toInstance(contract, genesis, one.store, { ...one.follower, ended$: core.ended$ })
    },
    follow: ({ instances, ...chain }) =>
      deferIteration(async () => {
        const { followCovenants } = await loadFollower()
        if (chain.cursor === undefined)
          for (const { snapshot } of instances) requireVerifiable({ from: chain.from, snapshot })
        return followCovenants(options.engine, instances.map(toCovenant), chain, () => [])
      }),
  }
}

/** A snapshot is verified in the UTXO set of now. Throws `ChainError` (`invalid-argument`) where it could not be. */
function requireVerifiable({
  from,
  snapshot,
}: {
  readonly from?: string | undefined
  readonly snapshot?: unknown
}): void {
  if (snapshot === undefined || from === undefined || from === 'sink') return
  throw invalidArgument(
    'snapshot',
    '"snapshot" and "from" are both given: outputs of an earlier block cannot be verified',
    'Leave one of them out: from a block before the genesis everything is known.',
  )
}

/** An instance, however often it was requested: followed once for all of its subscribers. */
interface KnownInstance {
  readonly store: InstanceStore
  readonly follower: StoreFollower
  readonly begin: (beginning: Beginning) => void
}

function createKnown(engine: ChainEngine, store: InstanceStore): KnownInstance {
  let beginning: Beginning = {}
  return {
    store,
    follower: createStoreFollower(engine, store, () => beginning),
    begin: (given) => (beginning = given),
  }
}

/** Throws `ChainError` (`invalid-argument`) for what no contract of `defineContract` is. */
function toCovenant({ contract, genesis, snapshot }: FollowedInstance): StartedCovenant {
  const followed = contract as Contract
  return { contract: followed, covenantId: covenantIdOfGenesis(followed, genesis as never), genesis, snapshot }
}
