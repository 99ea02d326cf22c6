import { ChainError } from '../../errors/chain-error.js'
import { loadPackage } from '../../loading/load-code.js'
import type { LedgerTransport, DeviceTransaction } from './device-transaction.js'
import { ChainWalletError, type ChainWalletErrorCode } from '../../errors/wallet-error.js'
import { fromHex, isHex, toHex } from '../../model/hex.js'
import { HDKey } from '@scure/bip32'
import { EXTENDED_KEY_VERSIONS } from '../../model/network.js'

const PACKAGE = '@ledgerhq/hw-app-kaspa'

/** The part of the package that Node can load too: its ES modules import each other without the ends of their names. */
type LedgerPackage = typeof import('@ledgerhq/hw-app-kaspa/lib/index')
type App = InstanceType<LedgerPackage['default']>

/** The Kaspa app on a device, and the records that it signs. */
interface LedgerApp extends Pick<LedgerPackage, 'KaspaHwTransaction' | 'TransactionInput' | 'TransactionOutput'> {
  readonly app: Pick<App, 'getAddress' | 'signTransaction'>
}

/** Loads the package of the app. Rejects with `ChainError` (`package-missing`). Sends nothing to the device. */
export async function loadApp(transport: LedgerTransport): Promise<LedgerApp> {
  if (!('Buffer' in globalThis)) throw withoutBuffer()
  const loaded = await loadPackage(PACKAGE, () => import('@ledgerhq/hw-app-kaspa/lib/index'))
  const Kaspa = toConstructor(loaded.default)
  const { KaspaHwTransaction, TransactionInput, TransactionOutput } = loaded
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the app calls methods of it only
  const app = new Kaspa(transport as ConstructorParameters<typeof Kaspa>[0])
  return { app, KaspaHwTransaction, TransactionInput, TransactionOutput }
}

/** Node and some bundlers take the exports of a CommonJS module for its default. */
function toConstructor(found: LedgerPackage['default'] | Pick<LedgerPackage, 'default'>): LedgerPackage['default'] {
  return typeof found === 'function' ? found : found.default
}

const withoutBuffer = (): ChainError =>
  new ChainError(`${PACKAGE} needs the global Buffer, which browsers do not have`, {
    code: 'package-missing',
    hint: "npm i buffer, then before the first payment: import { Buffer } from 'buffer'; globalThis.Buffer = Buffer",
  })

const HARDENED = 2 ** 31

/**
 * Shows a transaction on the device; resolves to the signatures of its inputs once the user has approved it. Rejects
 * with `ChainWalletError`, with `unexpected-response` where the app signed another hash than that of the transaction.
 */
export async function signOnDevice(
  { app, KaspaHwTransaction, TransactionInput, TransactionOutput }: LedgerApp,
  { inputs, outputs, change }: DeviceTransaction,
  account: number,
): Promise<readonly Uint8Array[]> {
  const transaction = new KaspaHwTransaction({
    version: 0,
    account: HARDENED + account,
    changeAddressType: change.type,
    changeAddressIndex: change.index,
    outputs: outputs.map(({ value, script }) => new TransactionOutput({ value, scriptPublicKey: script })),
    inputs: inputs.map(
      ({ transactionId, outpointIndex, value, type, index }) =>
        new TransactionInput({ value, prevTxId: transactionId, outpointIndex, addressType: type, addressIndex: index }),
    ),
  })
  try {
    await app.signTransaction(transaction)
  } catch (cause) {
    throw toDeviceError('sign', cause)
  }
  return inputs.map(({ sighash }, at) => {
    const { signature, sighash: signed } = transaction.inputs[at] ?? {}
    if (signed !== toHex(sighash)) throw unexpected(`The app signed another hash for input ${at}`)
    if (!isHex(signature, 64)) throw unexpected(`The app returned no signature for input ${at}`)
    return fromHex(signature)
  })
}

const unexpected = (what: string): ChainWalletError =>
  new ChainWalletError('sign', new Error(what), {
    code: 'unexpected-response',
    hint: 'Nothing was signed. Update the Kaspa app on the device.',
  })

const OPERATION = 'extendedPublicKey'
const FIRST_HARDENED = 2 ** 31

/** The extended public key of an account of the device, kpub. Rejects with `ChainWalletError`. */
export async function readExtendedPublicKey({ app }: Pick<LedgerApp, 'app'>, account: number): Promise<string> {
  const read = async (path: string): Promise<KeyReply> => {
    const reply = await app.getAddress(path).catch((cause: unknown) => {
      throw toDeviceError(OPERATION, cause)
    })
    return decode(reply.publicKey)
  }
  const [coin, key] = [await read("44'/111111'"), await read(`44'/111111'/${account}'`)]
  const versions = { public: EXTENDED_KEY_VERSIONS.kpub, private: 0 }
  const { fingerprint: parentFingerprint } = new HDKey({ versions, ...coin })
  const index = FIRST_HARDENED + account
  return new HDKey({ versions, depth: 3, index, parentFingerprint, ...key }).publicExtendedKey
}

interface KeyReply {
  readonly publicKey: Uint8Array
  readonly chainCode: Uint8Array
}

/** 65 bytes of the key, uncompressed, then 32 of the chain code; the length is before each. */
function decode(reply: string): KeyReply {
  const [, x, y, chainCode] = /^4104(.{64})(.{64})20(.{64})$/.exec(reply) ?? []
  if (x === undefined || y === undefined || chainCode === undefined)
    throw new ChainWalletError(OPERATION, new Error(`The app returned ${reply.length / 2} bytes`), {
      code: 'unexpected-response',
      hint: 'Update the Kaspa app on the device.',
    })
  const isOdd = Number.parseInt(y.slice(-1), 16) % 2 === 1
  return { publicKey: fromHex(`${isOdd ? '03' : '02'}${x}`), chainCode: fromHex(chainCode) }
}

interface Rule {
  readonly code: ChainWalletErrorCode
  /** Status words: of the app (`src/sw.h`), or of the device. */
  readonly status?: readonly number[]
  /** Names of errors of transports. */
  readonly names?: readonly string[]
  readonly hint: string
}

const RULES: readonly Rule[] = [
  { code: 'rejected', status: [0x6985, 0x5501], hint: 'The user rejected the request on the device.' },
  {
    code: 'device-disconnected',
    names: [
      'DisconnectedDevice',
      'DisconnectedDeviceDuringOperation',
      'TransportInterfaceNotAvailable',
      'PairingFailed',
      'InvalidStateError', // WebUSB of a device that was unplugged
    ],
    hint: 'Connect the device, open the Kaspa app on it, and create the signer with a new transport.',
  },
  {
    code: 'locked',
    status: [0x5515, 0x6982, 0x5303],
    names: ['LockedDeviceError'],
    hint: 'Unlock the device, then try again.',
  },
  {
    code: 'not-connected',
    status: [0x6d00, 0x6d02, 0x6e00, 0x6e01, 0x6511],
    hint: 'Open the Kaspa app on the device, then try again.',
  },
  { code: 'busy', names: ['TransportRaceCondition'], hint: 'Finish the request that the device shows first.' },
]

/** The error of a request to a device. */
export function toDeviceError(operation: string, cause: unknown): ChainWalletError {
  const { name, statusCode, id } = cause as { name?: unknown; statusCode?: unknown; id?: unknown }
  const isBusy = id === 'TransportLocked'
  const rule = RULES.find(
    ({ code, status = [], names = [] }) =>
      status.some((word) => word === statusCode) ||
      names.some((known) => known === name) ||
      (isBusy && code === 'busy'),
  )
  return new ChainWalletError(operation, cause, rule ?? { code: 'failed', hint: UNKNOWN })
}

const UNKNOWN = 'The device or its transport failed, see `cause`. Nothing was signed.'
