import type { ChainNetwork } from '../network.js'
import type { ScriptPublicKey } from '../utxo.js'
import type { ContractArtifact } from './artifact.js'
import type { SignatureOf } from './scalar-codec.js'
import type { ContractName, ContractStateInput, ContractStateOf, EntryArguments, EntryName } from './values.js'

/** A contract of a checked artifact: its scripts by state, and its calls. Pure: it knows no node and no key. */
export interface Contract<A extends ContractArtifact = ContractArtifact, N extends ContractName<A> = ContractName<A>> {
  readonly name: N
  /**
   * The program, hex, 32 bytes: constructor arguments are part of it, the state is not. Pin it where the artifact comes
   * from outside.
   */
  readonly templateHash: string
  /** The state that the artifact was compiled with. */
  readonly initialState: ContractStateOf<A, N>
  /** The names by which entries are called. */
  readonly entries: readonly EntryName<A, N>[]
  /** The entry of the inputs that follow a leader with the same covenant id; undefined where there is none. */
  readonly delegateEntry: EntryName<A, N> | undefined
  /**
   * The script behind the hash of an output with this state, hex. Throws `ChainError` (`invalid-argument`), as the
   * methods below.
   */
  redeemScript(state: ContractStateInput<A, N>): string
  /** The locking script of an output with this state. */
  scriptPublicKey(state: ContractStateInput<A, N>): ScriptPublicKey
  /**
   * The address of that script, to find its UTXOs. Never pay to it: an output without the covenant id is lost for
   * contracts that check their continuation.
   */
  scriptAddress(state: ContractStateInput<A, N>, network: ChainNetwork): string
  /** The state in a redeem script, hex; undefined for another program. */
  decodeState(redeemScript: string): ContractStateOf<A, N> | undefined
  /**
   * The next states that the arguments of a call name, for entries that verify them; undefined for entries that compute
   * the next state, and for those that end the covenant.
   */
  nextStates<E extends EntryName<A, N>>(
    entry: E,
    args: EntryArguments<A, N, E>,
  ): readonly ContractStateInput<A, N>[] | undefined
  /**
   * What a call pushes before the redeem script, hex. `sign` makes the signatures of `{ signedBy }`: without it
   * placeholders.
   */
  encodeCall<E extends EntryName<A, N>>(entry: E, args: EntryArguments<A, N, E>, sign?: SignatureOf): string
  /** The whole signature script of a call, hex: the same, then the redeem script of the state that it spends. */
  signatureScript<E extends EntryName<A, N>>(
    state: ContractStateInput<A, N>,
    entry: E,
    args: EntryArguments<A, N, E>,
    sign?: SignatureOf,
  ): string
}
