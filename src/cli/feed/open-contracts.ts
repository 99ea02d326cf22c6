import type { ChainEngine } from '../../engine/engine.js'
import type { Feed } from '../../feed/create-feed.js'
import { createContracts } from '../../contracts/create-contracts.js'
import {
  createContractFeed,
  type ContractFeed,
  type ContractFeedOptions,
} from '../../feed/contracts/create-contract-feed.js'
import type { ChainLogger } from '../../platform/port.js'
import { createLockedPglite } from '../../sql/locked-pglite.js'
import { openPool } from '../../sql/open-pool.js'
import { POSTGRES, readFlagFile } from '../service-flags.js'
import type { FeedFlags } from './flags.js'
import { connectNats } from './open-nats.js'
import { dirname, resolve } from 'node:path'
import { ChainError } from '../../errors/chain-error.js'
import type { ContractFeedInstance } from '../../feed/contracts/deliver-contracts.js'
import type { FeedToken } from '../../feed/options.js'
import { type ContractArtifact, isRecord, readList, readRecord, readText } from '../../model/contracts/artifact.js'
import { type Contract, defineContract, programOf } from '../../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../../model/covenant-id.js'
import type { ResolvedField, ResolvedType } from '../../model/contracts/resolved-type.js'
import { defineToken } from '../../model/tokens/define-token.js'

/** What is delivered, and into what. */
export interface Delivery {
  readonly createFeed: (engine: ChainEngine) => Pick<Feed, 'run' | 'status$'>
  /** Ms after which another instance replaces a silent one; null where there is none. */
  readonly leaseTimeout: number | null
  readonly close: () => Promise<void>
}

/**
 * Delivers outputs of the contracts of a file, into what flags name as for transfers. Rejects with `ChainError`:
 * `invalid-option`, `package-missing`, and where a folder or NATS cannot be opened.
 */
export async function openContracts(file: string, flags: FeedFlags, logger: ChainLogger): Promise<Delivery> {
  const instances = await readContracts(file)
  const { target, leaseTimeout, close } = await openTarget(flags, logger)
  const { schema, from, confirmations: minConfirmations } = flags
  const place = target.database === undefined ? target : { ...target, schema }
  return {
    createFeed: (engine) => {
      const contracts = createContracts({ engine })
      const feed = createContractFeed({ engine, contracts, instances, from, minConfirmations, ...place })
      return { status$: feed.status$, run: ({ signal } = {}) => runUntil(feed, signal) }
    },
    leaseTimeout,
    close,
  }
}

/** As a feed of transfers runs: resolves once the signal aborts. */
async function runUntil(feed: ContractFeed, signal = new AbortController().signal): Promise<void> {
  try {
    await feed.run({ signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

interface Target {
  readonly target: Pick<ContractFeedOptions, 'database' | 'stream' | 'leaseTimeout' | 'statementTimeout'>
  readonly leaseTimeout: number | null
  readonly close: () => Promise<void>
}

async function openTarget(flags: FeedFlags, logger: ChainLogger): Promise<Target> {
  const { nats, database, leaseTimeout, statementTimeout, replicas } = flags
  if (nats.length > 0) {
    const connection = await (await connectNats(flags))()
    const stream = { connection, leaseTimeout, timeout: statementTimeout, replicas }
    return { target: { stream }, leaseTimeout, close: () => connection.close() }
  }
  if (!POSTGRES.test(database)) {
    const locked = createLockedPglite(database)
    return { target: { database: await locked.open() }, leaseTimeout: null, close: () => locked.close() }
  }
  const onIdleError = (error: Error): void => logger.warn('An idle connection has ended', { error })
  const pool = await openPool({ url: database, max: 2, leaseTimeout, onIdleError })
  return { target: { database: pool, leaseTimeout, statementTimeout }, leaseTimeout, close: () => pool.end() }
}

/** An entry of a file: a contract with the record of its genesis. */
interface ReadInstance {
  readonly artifact: ContractArtifact
  readonly name: string | undefined
  readonly templateHash: string | undefined
  readonly contract: Contract
  readonly genesis: GenesisRecord<unknown>
}

/**
 * The contracts of a file: a JSON list of `{ artifact, contract, templateHash, genesis }`, where `artifact` is the path
 * of another file, from the folder of the first, and integers of `genesis` are decimal text. Rejects with `ChainError`
 * (`invalid-option`).
 */
export const readContracts = (path: string): Promise<readonly ContractFeedInstance[]> =>
  readInstances('contracts', path, ({ contract, genesis }) => {
    covenantIdOfGenesis(contract, genesis as GenesisRecord<never>) // throws where it is none of the contract
    return { contract, genesis }
  })

/** The tokens of a file, in the same form. Rejects with `ChainError` (`invalid-option`). */
export const readTokens = (path: string): Promise<readonly FeedToken[]> =>
  readInstances('token', path, ({ artifact, name: contract, templateHash, genesis }) => {
    const token = { artifact, contract, templateHash, genesis }
    defineToken(token) // throws where it is none
    return token
  })

async function readInstances<T>(
  flag: 'contracts' | 'token',
  path: string,
  toEntry: (instance: ReadInstance) => T,
): Promise<readonly T[]> {
  const parse = async (file: string): Promise<unknown> => JSON.parse(await readFlagFile(flag, file))
  try {
    const entries: T[] = []
    for (const [index, item] of readList(await parse(path), flag).entries()) {
      const { artifact: file, contract: named, templateHash: pinned, genesis } = readRecord(item, `[${index}]`)
      const name = named === undefined ? undefined : readText(named, `[${index}].contract`)
      const templateHash = pinned === undefined ? undefined : readText(pinned, `[${index}].templateHash`)
      const source = resolve(dirname(path), readText(file, `[${index}].artifact`))
      const artifact = (await parse(source)) as ContractArtifact // checked next
      const contract = defineContract(artifact, {
        ...(name !== undefined && { contract: name }),
        ...(templateHash !== undefined && { templateHash }),
      })
      const record = readGenesis(genesis, programOf(contract)?.fields ?? [])
      entries.push(toEntry({ artifact, name, templateHash, contract, genesis: record }))
    }
    return entries
  } catch (error) {
    throw invalidFile(flag, path, error)
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

function invalidFile(flag: string, path: string, cause: unknown): unknown {
  if (cause instanceof ChainError && cause.code === 'invalid-option') return cause
  if (!(cause instanceof ChainError || cause instanceof SyntaxError)) return cause
  return new ChainError(`The file "${path}" of --${flag} is not valid: ${cause.message}`, {
    code: 'invalid-option',
    argument: flag,
    details: '',
    hint: 'See --help.',
    cause,
  })
}
