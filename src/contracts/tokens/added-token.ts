import { filter, firstValueFrom, map, merge, timer } from 'rxjs'
import type { CoreParts } from '../../engine/core-parts.js'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { stateUnknown } from '../../errors/contract-errors.js'
import { abort$ } from '../../loading/abortable.js'
import type { ContractArtifact } from '../../model/contracts/artifact.js'
import { defineContract } from '../../model/contracts/define-contract.js'
import type { GenesisRecord } from '../../model/contracts/genesis.js'
import { readTokenProgram, toTokenState, type TokenProgram, type TokenRoles } from '../../model/tokens/token-program.js'
import type { TokenState } from '../../model/tokens/token-state.js'
import type { DescribedCall } from '../../operations/contracts/contract-call.js'
import type { SpentToken } from '../../operations/tokens/describe-transfer.js'
import type { Contracts } from '../create-contracts.js'
import type { Beginning } from '../follow-store.js'
import type { ContractInstance } from '../instance.js'

/** A token, as an app knows it: never by its symbol, which anyone may use. */
export interface TokenSource extends Beginning {
  /** What the compiler has written, with the `program_information` of KCC-20 where it has one. It is trusted code. */
  readonly artifact: ContractArtifact
  /** The record of its genesis, which proves the covenant id and that nothing else began with it. */
  readonly genesis: GenesisRecord<unknown>
  /** The covenant that is expected, hex: another one is refused. */
  readonly covenantId?: string | undefined
  /** The program that is expected, hex: another one is refused. */
  readonly templateHash?: string | undefined
  /** Which contract of the artifact is the token. @default its only one */
  readonly contract?: string | undefined
  /** How the program is used, where its artifact does not show it. */
  readonly roles?: TokenRoles | undefined
}

/** A token that was added. */
export interface AddedToken {
  /** Hex. Another one is another token, whatever its program, its state and its symbol. */
  readonly covenantId: string
  /** In its units, for ever; `unknown` where the program has entries that may make more. */
  readonly supply: bigint | 'unknown'
}

/** A token that is followed. */
export interface KnownToken extends AddedToken, SpentToken {
  readonly instance: ContractInstance
  readonly genesis: GenesisRecord<TokenState>
}

/** Ms until the chain has to be read, to plan a transfer. */
const LIMIT = 60_000

/**
 * Checks a token. Throws `ChainError`: `invalid-artifact` for a program that is no token, `genesis-mismatch` with both
 * ids, `invalid-argument`.
 */
export function addToken(core: CoreParts, contracts: Contracts, source: TokenSource): KnownToken {
  const { artifact, contract: name, templateHash, covenantId: expected, roles, from, snapshot } = source
  const contract = defineContract(artifact, {
    ...(name === undefined ? {} : { contract: name }),
    ...(templateHash === undefined ? {} : { templateHash }),
  })
  const program = readTokenProgram(contract, artifact, roles)
  const genesis = checkGenesis(program, source.genesis)
  const instance = contracts.instance(contract, genesis as never, { covenantId: expected, from, snapshot })
  const { covenantId } = instance
  return { covenantId, supply: supplyOf(program, genesis), program, instance, genesis, ...spending(core, instance) }
}

/** A record with its states as they are read. Amounts below zero could hide what others have beyond the supply. */
function checkGenesis(program: TokenProgram, { outpoint, outputs }: GenesisRecord<unknown>): GenesisRecord<TokenState> {
  return {
    outpoint,
    outputs: outputs.map(({ index, value, state }, at) => {
      const checked = toTokenState(program, state)
      const path = `genesis.outputs[${at}].state.amount`
      if (checked.amount < 0n) throw invalidArgument(path, `"${path}" is below zero`, 'Do not trust this token.')
      return { index, value, state: checked }
    }),
  }
}

const supplyOf = ({ isPlain }: TokenProgram, { outputs }: GenesisRecord<TokenState>): AddedToken['supply'] =>
  isPlain ? outputs.reduce((sum, { state }) => sum + state.amount, 0n) : 'unknown'

/** What a transfer needs of the instance. */
function spending(
  core: CoreParts,
  { call, covenantId, view$ }: ContractInstance,
): Pick<KnownToken, 'target' | 'ready'> {
  const [described] = Object.values(call).map((describe) => describe({}) as DescribedCall)
  if (described === undefined) throw new TypeError('A token has entries')
  const { target } = described // the same for all entries
  return {
    target,
    ready: async (signal) => {
      const ended$ = merge(abort$(signal), timer(LIMIT, core.platform.scheduler), core.ended$).pipe(map(() => null))
      const followed$ = view$.pipe(filter(({ isLive, error }) => isLive || error !== null))
      const view = await firstValueFrom(merge(followed$, ended$), { defaultValue: null })
      if (signal?.aborted === true) throw aborted(signal.reason)
      if (view === null) throw notFollowed(covenantId)
      if (view.error !== null) throw view.error
      return !view.isIncomplete
    },
  }
}

const aborted = (cause: unknown): ChainError => new ChainError('The transfer was aborted', { code: 'aborted', cause })

const notFollowed = (covenantId: string): ChainError =>
  stateUnknown(
    `The outputs of the token ${covenantId} are not known`,
    'The chain was not read within a minute: connect, then plan the transfer again.',
  )
