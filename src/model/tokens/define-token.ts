import { invalidArgument } from '../../errors/chain-error.js'
import { genesisMismatch } from '../../errors/contract-errors.js'
import type { ContractArtifact } from '../contracts/artifact.js'
import { defineContract } from '../contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../covenant-id.js'
import { readTokenProgram, toTokenState, type TokenProgram, type TokenRoles, type TokenState } from './token-program.js'

/** A token, as an app knows it: never by its symbol, which anyone may use. */
export interface TokenDefinition {
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

/** A token that was checked. */
export interface DefinedToken extends AddedToken {
  readonly program: TokenProgram
  readonly genesis: GenesisRecord<TokenState>
}

/**
 * The one way by which tokens come in. Reads nothing. Throws `ChainError`: `invalid-artifact` for a program that is no
 * token or another one than `templateHash`; `genesis-mismatch` with both ids where the record proves another covenant
 * than `covenantId`; `invalid-argument`.
 */
export function defineToken(definition: TokenDefinition): DefinedToken {
  const { artifact, contract: name, templateHash, covenantId: expected, roles } = definition
  const contract = defineContract(artifact, {
    ...(name === undefined ? {} : { contract: name }),
    ...(templateHash === undefined ? {} : { templateHash }),
  })
  const program = readTokenProgram(contract, artifact, roles)
  const genesis = checkGenesis(program, definition.genesis)
  const covenantId = covenantIdOfGenesis(contract, genesis as never) // states of its own fields
  if (expected !== undefined && expected !== covenantId)
    throw genesisMismatch({ computed: covenantId, given: expected })
  return { covenantId, supply: supplyOf(program, genesis), program, genesis }
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
