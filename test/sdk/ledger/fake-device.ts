import { createRequire } from 'node:module'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import type { HDKey } from '@scure/bip32'
import { toHex } from '../../../src/model/hex.js'
import { SIGHASH_TYPES, sighash } from '../../../src/model/sighash.js'
import { createTransaction, type TransactionOutput } from '../../../src/model/transaction.js'
import type { SpentUtxo } from '../../../src/operations/transactions/build.js'

const { default: Transport } = createRequire(import.meta.url)(
  '@ledgerhq/hw-transport',
) as typeof import('@ledgerhq/hw-transport')

const HARDENED = 2 ** 31
const [OK, DENIED, BAD_STATE, TX_PARSING_FAIL, INS_NOT_SUPPORTED] = [0x9000, 0x6985, 0xb007, 0xb005, 0x6d00]

export interface DeviceSettings {
  /** The keys of its seed. */
  readonly root: HDKey
  readonly model?: string | undefined
  /** Decides on the transaction that the device shows. @default approves */
  readonly decide?: (shown: Shown) => boolean | Promise<boolean>
  /** Changes a reply. */
  readonly tamper?: (reply: Buffer) => Buffer
}

/** What the device shows before it signs, sompi. */
export interface Shown {
  readonly amount: bigint
  readonly script: string
  readonly fee: bigint
}

interface Parsed {
  readonly outputs: TransactionOutput[]
  readonly inputs: (SpentUtxo & { readonly key: HDKey })[]
  readonly counts: { readonly outputs: number; readonly inputs: number }
  readonly account: number
  readonly change: readonly [type: number, index: number]
}

/**
 * A device with the Kaspa app 1.0.3, by what is known of its `sign_tx.c`, `deserialize.c` and `tx_validate.c`:
 * one recipient, a second output only at the path of the header, at most 15 or 128 inputs, sequence 0, no payload.
 */
export class FakeDevice extends Transport {
  /** Commands and replies, hex. */
  readonly log: [command: string, reply: string][] = []
  readonly shown: Shown[] = []
  readonly #settings: DeviceSettings
  #parsed: Parsed | undefined
  #signing: Buffer[] = []

  constructor(settings: DeviceSettings) {
    super()
    this.#settings = settings
    this.deviceModel = (settings.model === undefined ? null : { id: settings.model }) as typeof this.deviceModel
  }

  override async exchange(command: Buffer): Promise<Buffer> {
    const own = await this.#reply(command)
    const reply = this.#settings.tamper?.(own) ?? own
    this.log.push([command.toString('hex'), reply.toString('hex')])
    return reply
  }

  async #reply(command: Buffer): Promise<Buffer> {
    const [, ins, p1, p2] = command
    const data = command.subarray(5)
    if (ins === 5) return this.#publicKey(data)
    if (ins !== 6) return status(INS_NOT_SUPPORTED)
    if (p1 === 0) return this.#header(data)
    if (p1 === 3) return this.#nextSignature()
    const parsed = this.#parsed
    if (parsed === undefined) return status(BAD_STATE)
    const isParsed = p1 === 1 ? this.#output(parsed, data) : this.#input(parsed, data)
    if (!isParsed) return status(TX_PARSING_FAIL)
    return p2 === 0x80 ? status(OK) : this.#approve(parsed)
  }

  #publicKey(data: Buffer): Buffer {
    const path = Array.from({ length: data[0] ?? 0 }, (_, at) => data.readUInt32BE(1 + 4 * at))
    if (path[0] !== HARDENED + 44 || path[1] !== HARDENED + 111_111) return status(0xb009)
    const { publicKey, chainCode } = path.reduce((key, index) => key.deriveChild(index), this.#settings.root)
    const point = Buffer.from(uncompressed(publicKey!))
    return Buffer.concat([Buffer.from([65]), point, Buffer.from([32]), chainCode!, status(OK)])
  }

  #header(data: Buffer): Buffer {
    this.#parsed = undefined
    const [outputs = 0, inputs = 0, type = 2] = data.subarray(2)
    const account = data.readUInt32BE(9)
    const most = this.#settings.model === 'nanoS' ? 15 : 128
    const isValid =
      data.readUInt16BE(0) === 0 && outputs >= 1 && outputs <= 2 && inputs >= 1 && inputs <= most && type <= 1
    if (!isValid || account < HARDENED) return status(TX_PARSING_FAIL)
    const change = [type, data.readUInt32BE(5)] as const
    this.#parsed = { outputs: [], inputs: [], counts: { outputs, inputs }, account, change }
    return status(OK)
  }

  #output({ outputs, counts }: Parsed, data: Buffer): boolean {
    const script = data.subarray(8).toString('hex')
    if (outputs.length >= counts.outputs || !/^(20.{64}ac|21.{66}ab|aa20.{64}87)$/.test(script)) return false
    outputs.push({ value: data.readBigUInt64BE(0), scriptPublicKey: { version: 0, script } })
    return true
  }

  #input({ inputs, counts, account }: Parsed, data: Buffer): boolean {
    if (inputs.length >= counts.inputs || data.length !== 46) return false
    const key = this.#key(account, [data.readUInt8(40), data.readUInt32BE(41)])
    const outpoint = { transactionId: data.subarray(8, 40).toString('hex'), index: data.readUInt8(45) }
    inputs.push({ key, outpoint, amount: data.readBigUInt64BE(0), scriptPublicKey: scriptOf(key) })
    return true
  }

  #key(account: number, [type, index]: readonly [number, number]): HDKey {
    const path = [HARDENED + 44, HARDENED + 111_111, account, type, index]
    return path.reduce((key, child) => key.deriveChild(child), this.#settings.root)
  }

  async #approve({ outputs, inputs, counts, account, change }: Parsed): Promise<Buffer> {
    const [recipient, second] = outputs
    if (recipient === undefined || outputs.length !== counts.outputs) return status(TX_PARSING_FAIL)
    const isOwn = second?.scriptPublicKey.script === scriptOf(this.#key(account, change)).script
    const fee = sum(inputs.map(({ amount }) => amount)) - sum(outputs.map(({ value }) => value))
    if ((second !== undefined && !isOwn) || fee < 0n) return status(TX_PARSING_FAIL)
    const shown = { amount: recipient.value, script: recipient.scriptPublicKey.script, fee }
    this.shown.push(shown)
    if ((await this.#settings.decide?.(shown)) === false) {
      this.#parsed = undefined
      return status(DENIED)
    }
    const transaction = createTransaction({
      outputs,
      inputs: inputs.map(({ outpoint }) => ({
        previousOutpoint: outpoint,
        signatureScript: '',
        sequence: 0n,
        sigOpCount: 1,
      })),
    })
    this.#signing = inputs.map(({ key }, index) => {
      const hash = sighash(transaction, index, inputs, SIGHASH_TYPES.All)
      const signature = schnorr.sign(hash, key.privateKey!)
      const isLast = index === inputs.length - 1
      return Buffer.concat([Buffer.from([isLast ? 0 : 1, index, 64]), signature, Buffer.from([32]), hash, status(OK)])
    })
    return this.#nextSignature()
  }

  #nextSignature(): Buffer {
    return this.#signing.shift() ?? status(BAD_STATE)
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const scriptOf = ({ publicKey }: HDKey): { version: number; script: string } => ({
  version: 0,
  script: `20${toHex(publicKey!.subarray(1))}ac`,
})

const uncompressed = (publicKey: Uint8Array): Uint8Array => secp256k1.Point.fromBytes(publicKey).toBytes(false)

function status(word: number): Buffer {
  return Buffer.from([word >> 8, word & 0xff])
}
