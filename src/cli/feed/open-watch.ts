import { stat } from 'node:fs/promises'
import { ChainError } from '../../errors/chain-error.js'
import type { FeedWatch } from '../../feed/requests.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ChainLogger } from '../../platform/port.js'
import { createWatchedAddresses } from '../../streams/transfers/watched-addresses.js'
import type { FeedFlags } from './flags.js'
import { readFlagFile } from '../service-flags.js'
import { WatchedBucket } from './watched-bucket.js'

/** The watched addresses of a command line, and what ends their changes. */
interface OpenedWatch {
  readonly watch: FeedWatch
  /** Which the sessions of the sink follow. */
  readonly bucket?: WatchedBucket
  end(): void
}

/**
 * How often a file is looked at, in ms: notifications of file systems are not reliable in containers and on network
 * disks.
 */
const INTERVAL = 1_000

/**
 * The table, the addresses of the flag, or those of its file or bucket, which change with it. Rejects with `ChainError`
 * (`invalid-option`) for a file that cannot be read, or has what is no address. A file that becomes empty changes
 * nothing.
 */
export async function openWatch(
  { addresses, network }: Pick<FeedFlags, 'addresses' | 'network'>,
  logger: ChainLogger,
  interval = INTERVAL,
): Promise<OpenedWatch> {
  const end = (): void => undefined
  if (addresses === null) return { watch: 'table', end }
  if (typeof addresses === 'object') return { watch: addresses, end }
  if (addresses.startsWith('kv:')) {
    const bucket = new WatchedBucket(addresses.slice(3), network, logger)
    return { watch: bucket.watch, bucket, end }
  }
  const path = addresses.slice(1)
  const read = async (): Promise<ReadonlySet<string>> =>
    parseAddresses(await readFlagFile('addresses', path), path, network)
  let stamp = await stampOf(path) // before the file is read: what is written meanwhile is read again
  const watch = createWatchedAddresses(await read())
  let isEnded = false
  const update = async (): Promise<void> => {
    try {
      const wanted = await read()
      if (isEnded) return
      if (wanted.size === 0) throw isEmpty(path)
      const [before, unwanted] = [watch.size, [...watch].filter((address) => !wanted.has(address))]
      watch.delete(unwanted)
      watch.add(wanted)
      logger.info('The addresses were read again', { path, before, watched: watch.size })
    } catch (error) {
      if (isEnded) return
      logger.warn('The addresses could not be read again: those before stay', { path, error })
    }
  }
  const updateOnChange = async (): Promise<void> => {
    const next = await stampOf(path)
    if (next === stamp) return
    stamp = next
    await update()
  }
  let updating: Promise<void> | undefined
  const timer = setInterval(() => {
    updating ??= updateOnChange().finally(() => (updating = undefined))
  }, interval)
  return {
    watch,
    end: () => {
      isEnded = true // also for a file that is being read
      clearInterval(timer)
    },
  }
}

/** A program that writes a file again empties it first: rows of addresses that are removed and added begin again. */
const isEmpty = (path: string): ChainError =>
  new ChainError(`The file "${path}" of --addresses has no addresses`, {
    code: 'invalid-option',
    argument: 'addresses',
    details: '',
    hint: 'Write another file, and rename it.',
  })

/** Changes with each write to a file. */
const stampOf = (path: string): Promise<string> =>
  stat(path, { bigint: true }).then(
    ({ ino, size, mtimeNs }) => [ino, size, mtimeNs].join(' '),
    () => 'absent', // reading it says why
  )

/** Addresses separated by white space or commas; `#` begins a comment. */
function parseAddresses(text: string, path: string, network: ChainNetwork): ReadonlySet<string> {
  const addresses = new Set(
    text
      .replaceAll(/#.*/g, '')
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  const isOurs = (address: string): boolean => isValidAddress(address, network)
  const wrong = [...addresses].find((address) => !isOurs(address))
  if (wrong === undefined) return addresses
  throw new ChainError(`"${wrong}" in the file "${path}" of --addresses is no address of ${network}`, {
    code: 'invalid-option',
    argument: 'addresses',
    details: '',
    hint: 'Write one address a line.',
  })
}
