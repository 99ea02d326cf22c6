import type { ContractArtifact } from '../model/contracts/artifact.js'
import type { Contract } from '../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../model/covenant-id.js'
import type { ContractName, ContractStateInput, ContractStateOf } from '../model/contracts/values.js'
import type { Outpoint } from '../model/utxo.js'
import { stateOfOutput } from './ledger/state-of-output.js'
import type { LiveLedger } from './live-ledger.js'
import { toPromise } from './methods.js'

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
