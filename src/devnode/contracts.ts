import type { ContractArtifact } from '../model/contracts/artifact.js'
import type { Contract } from '../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../model/covenant-id.js'
import type { ContractName, ContractStateInput, ContractStateOf } from '../model/contracts/values.js'
import type { Outpoint, ScriptPublicKey } from '../model/utxo.js'
import type { LiveLedger } from './live-ledger.js'
import { toPromise } from './methods.js'
import { blake2b256 } from '../model/hashing.js'
import { fromHex, toHex } from '../model/hex.js'
import { hashedScripts } from '../script/run-input.js'
import { toSpendingContext } from '../script/spending.js'
import type { LedgerTransaction } from './ledger/history.js'

/** Contracts on a devnode, without plans and keys: deployed from its faucet, and read from its own state. */
export interface DevnodeContracts {
  /**
   * Begins a covenant with one output, in a block of its own. Rejects with `ChainError` for a state that cannot be
   * encoded.
   */
  deploy<A extends ContractArtifact, N extends ContractName<A>>(
    contract: Contract<A, N>,
    state: ContractStateInput<A, N>,
    options?: {
      /** Sompi of the output. @default 1 KAS */
      readonly value?: bigint | undefined
    },
  ): Promise<DeployedContract<ContractStateInput<A, N>>>
  /** The outputs and states of a covenant, at any time as virtual has them. */
  instance<A extends ContractArtifact, N extends ContractName<A>>(
    contract: Contract<A, N>,
    genesis: GenesisRecord<ContractStateInput<A, N>>,
  ): DevnodeInstance<ContractStateOf<A, N>>
}

export interface DeployedContract<State> {
  readonly covenantId: string
  readonly transactionId: string
  /** The record that proves the id. */
  readonly genesis: GenesisRecord<State>
}

export interface DevnodeInstance<State> {
  readonly covenantId: string
  /** The state of the first output; undefined where the covenant has ended, or where its state cannot be read. */
  readonly state: State | undefined
  readonly outputs: readonly InstanceOutput<State>[]
}

export interface InstanceOutput<State> {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  /** Undefined for an output of another program. */
  readonly state: State | undefined
}

const KAS = 100_000_000n

export function createDevnodeContracts(live: LiveLedger): DevnodeContracts {
  return {
    deploy: (contract, state, { value = KAS } = {}) =>
      toPromise(() => {
        const output = { value, scriptPublicKey: contract.scriptPublicKey(state) }
        const { covenantId, transactionId, outpoint } = live.apply((ledger, now) => ledger.beginCovenant([output], now))
        return { covenantId, transactionId, genesis: { outpoint, outputs: [{ index: 0, value, state }] } }
      }),
    instance: (contract, genesis) => instanceOf(live, contract, genesis),
  }
}

function instanceOf<A extends ContractArtifact, N extends ContractName<A>>(
  { ledger }: LiveLedger,
  contract: Contract<A, N>,
  genesis: GenesisRecord<ContractStateInput<A, N>>,
): DevnodeInstance<ContractStateOf<A, N>> {
  const covenantId = covenantIdOfGenesis(contract, genesis)
  const begun = genesis.outputs.map(({ state }) => contract.redeemScript(state))
  const outputs = (): readonly InstanceOutput<ContractStateOf<A, N>>[] =>
    ledger.expected
      .utxos()
      .filter((utxo) => utxo.covenantId === covenantId)
      .map(({ outpoint, amount, scriptPublicKey }) => ({
        outpoint,
        value: amount,
        state: stateOfOutput(ledger.history.transaction(outpoint.transactionId), scriptPublicKey, begun, (script) =>
          contract.decodeState(script),
        ),
      }))
  return {
    covenantId,
    get outputs() {
      return outputs()
    },
    get state() {
      return outputs()[0]?.state
    },
  }
}

/**
 * The state of an output of a contract, read from the redeem script behind its hash: one that began the covenant, or
 * one that the spent contracts built and hashed when they checked the transaction. Undefined where none fits.
 */
function stateOfOutput<State>(
  creator: LedgerTransaction | undefined,
  scriptPublicKey: ScriptPublicKey,
  begun: readonly string[],
  readState: (redeemScript: string) => State | undefined,
): State | undefined {
  const candidates = [...begun, ...(creator === undefined ? [] : hashedBy(creator))]
  const redeemScript = candidates.find(
    (script) => `aa20${toHex(blake2b256(fromHex(script)))}87` === scriptPublicKey.script,
  )
  return redeemScript === undefined ? undefined : readState(redeemScript)
}

function hashedBy({ transaction, spent }: LedgerTransaction): readonly string[] {
  const known = spent.filter((utxo) => utxo !== undefined)
  if (known.length < spent.length) return []
  const context = toSpendingContext(transaction, known)
  return [...known.entries()].flatMap(([index, { covenantId }]) =>
    covenantId === undefined ? [] : hashedScripts(context, index),
  )
}
