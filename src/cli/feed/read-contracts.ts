import { dirname, resolve } from 'node:path'
import { ChainError } from '../../errors/chain-error.js'
import type { ContractFeedInstance } from '../../feed/contracts/instances.js'
import type { ContractArtifact } from '../../model/contracts/artifact.js'
import { defineContract, programOf } from '../../model/contracts/define-contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../../model/contracts/genesis.js'
import { isRecord, readList, readRecord, readText } from '../../model/contracts/read-json.js'
import type { ResolvedField, ResolvedType } from '../../model/contracts/resolved-type.js'
import { readFlagFile } from './read-flag-file.js'

/**
 * The contracts of a file: a JSON list of `{ artifact, contract, templateHash, genesis }`, where `artifact` is the path
 * of another file, from the folder of the first, and integers of `genesis` are decimal text. Rejects with `ChainError`
 * (`invalid-option`).
 */
export async function readContracts(path: string): Promise<readonly ContractFeedInstance[]> {
  const parse = async (file: string): Promise<unknown> => JSON.parse(await readFlagFile('contracts', file))
  try {
    const instances: ContractFeedInstance[] = []
    for (const [index, item] of readList(await parse(path), 'contracts').entries()) {
      const { artifact, contract: name, templateHash, genesis } = readRecord(item, `[${index}]`)
      const file = resolve(dirname(path), readText(artifact, `[${index}].artifact`))
      const contract = defineContract((await parse(file)) as ContractArtifact, {
        ...(name !== undefined && { contract: readText(name, `[${index}].contract`) }),
        ...(templateHash !== undefined && { templateHash: readText(templateHash, `[${index}].templateHash`) }),
      })
      const record = readGenesis(genesis, programOf(contract)?.fields ?? [])
      covenantIdOfGenesis(contract, record as GenesisRecord<never>) // throws where it is none of the contract
      instances.push({ contract, genesis: record })
    }
    return instances
  } catch (error) {
    throw invalidFile(path, error)
  }
}

function readGenesis(value: unknown, fields: readonly ResolvedField[]): GenesisRecord<unknown> {
  const { outpoint, outputs } = readRecord(value, 'genesis')
  const { transactionId, index } = readRecord(outpoint, 'genesis.outpoint')
  return {
    outpoint: { transactionId: readText(transactionId, 'genesis.outpoint.transactionId'), index: Number(index) },
    outputs: readList(outputs, 'genesis.outputs').map((output) => {
      const { index: at, value: amount, state } = readRecord(output, 'genesis.outputs')
      return { index: Number(at), value: toInteger(amount) as bigint, state: withIntegers(fields, state) }
    }),
  }
}

const withIntegers = (fields: readonly ResolvedField[], value: unknown): unknown =>
  isRecord(value)
    ? { ...value, ...Object.fromEntries(fields.map(({ name, type }) => [name, toValue(type, value[name])])) }
    : value

/** A value as its type has it: the codec refuses what is none. */
function toValue(type: ResolvedType, value: unknown): unknown {
  if (type.kind === 'int' || type.kind === 'temporal') return toInteger(value)
  if (type.kind === 'struct') return withIntegers(type.fields, value)
  return type.kind === 'array' && Array.isArray(value) ? value.map((item) => toValue(type.item, item)) : value
}

const toInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : value

function invalidFile(path: string, cause: unknown): unknown {
  if (cause instanceof ChainError && cause.code === 'invalid-option') return cause
  if (!(cause instanceof ChainError || cause instanceof SyntaxError)) return cause
  return new ChainError(`The file "${path}" of --contracts is not valid: ${cause.message}`, {
    code: 'invalid-option',
    argument: 'contracts',
    details: '',
    hint: 'See --help.',
    cause,
  })
}
