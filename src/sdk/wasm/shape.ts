import { ChainError } from '../../errors/chain-error.js'

/** An object whose data stay in WASM memory until `free()` or garbage collection. */
export interface WasmObject {
  free(): void
}

interface Mnemonic extends WasmObject {
  readonly phrase: string
  toSeed(passphrase: string): string
}

export interface ExtendedPrivateKey extends WasmObject {
  derivePath(path: string): ExtendedPrivateKey
  toPrivateKey(): PrivateKey
  toXPub(): ExtendedPublicKey
}

interface ExtendedPublicKey extends WasmObject {
  /** Base58 with the version bytes of a prefix such as `kpub`. */
  intoString(prefix: string): string
}

interface PrivateKey extends WasmObject {
  toString(): string
  toPublicKey(): PublicKey
}

export interface PublicKey extends WasmObject {
  toString(): string
  toAddress(network: string): Address
}

interface Address extends WasmObject {
  toString(): string
}

interface Keypair extends WasmObject {
  readonly privateKey: string
}

interface PublicKeyGenerator extends WasmObject {
  /** The end is exclusive. */
  receivePubkeys(start: number, end: number): (PublicKey | string)[]
  changePubkeys(start: number, end: number): (PublicKey | string)[]
}

/**
 * The used part of a Kaspa SDK; its own typings are 217 kB and differ between releases. Optional members are missing in
 * some versions.
 */
export interface KaspaSdk {
  readonly Mnemonic: {
    new (phrase: string): Mnemonic
    random(wordCount: number): Mnemonic
    validate(phrase: string): boolean
  }
  readonly XPrv: new (seed: string) => ExtendedPrivateKey
  readonly PrivateKey: new (hex: string) => PrivateKey
  readonly PublicKey: new (hex: string) => PublicKey
  readonly Keypair: { random(): Keypair }
  readonly PublicKeyGenerator: {
    fromMasterXPrv(master: ExtendedPrivateKey, isMultisig: boolean, account: bigint): PublicKeyGenerator
  }
  signMessage(message: { readonly message: string; readonly privateKey: string }): string
  verifyMessage(message: { readonly message: string; readonly signature: string; readonly publicKey: string }): boolean
  /** Signs a hash in hex; returns a signature script in hex. */
  signScriptHash(hash: string, privateKey: PrivateKey): string
  initConsolePanicHook?(): void
  initBrowserPanicHook?(): void
}

/** Required members as paths. */
const NEEDED = [
  'Mnemonic.random',
  'Mnemonic.validate',
  'Mnemonic.prototype.toSeed',
  'XPrv.prototype.derivePath',
  'XPrv.prototype.toPrivateKey',
  'XPrv.prototype.toXPub',
  'XPub.prototype.intoString',
  'PrivateKey.prototype.toPublicKey',
  'PublicKey.prototype.toAddress',
  'Keypair.random',
  'PublicKeyGenerator.fromMasterXPrv',
  'PublicKeyGenerator.prototype.receivePubkeys',
  'PublicKeyGenerator.prototype.changePubkeys',
  'signScriptHash',
  'signMessage',
  'verifyMessage',
]

/** Checks the required members of loaded exports, not their version; throws `sdk-unsupported` with the missing ones. */
export function toKaspaSdk(exports: Readonly<Record<string, unknown>>): KaspaSdk {
  const missing = NEEDED.filter((path) => typeof lookUp(exports, path) !== 'function')
  if (missing.length > 0) {
    throw new ChainError(`The given SDK lacks ${missing.join(', ')}`, {
      code: 'sdk-unsupported',
      argument: 'sdk',
      hint: 'Pass an option `sdk` that resolves to the module of a Kaspa WASM SDK 0.15 or later.',
    })
  }
  return exports as unknown as KaspaSdk // checked member by member above
}

function lookUp(exports: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const hasMembers = typeof value === 'function' || (typeof value === 'object' && value !== null)
    return hasMembers ? Reflect.get(value, name) : undefined
  }, exports)
}
