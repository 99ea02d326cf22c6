import type { KeyPath, MnemonicSecret, SdkPort } from '../port.js'
import type { ExtendedPrivateKey, KaspaSdk, PublicKey, WasmObject } from './shape.js'
import { ChainError } from '../../errors/chain-error.js'
import { toHex } from '../../model/hex.js'
import { withDetails } from '../../errors/shown.js'

/** Runs a call of an instance and may convert what it throws. */
export type Run = <Result>(call: () => Result) => Result

/** The port on an SDK instance: every WASM object is freed before a call returns. */
export function createAdapter(sdk: KaspaSdk, run: Run): Omit<SdkPort, 'broken$'> {
  const atMaster = <Data>({ phrase, passphrase }: MnemonicSecret, read: (master: ExtendedPrivateKey) => Data): Data =>
    readAndFree(new sdk.Mnemonic(phrase), (mnemonic) => readAndFree(new sdk.XPrv(mnemonic.toSeed(passphrase)), read))
  return {
    generateMnemonic: (wordCount) => run(() => readAndFree(sdk.Mnemonic.random(wordCount), ({ phrase }) => phrase)),
    isValidMnemonic: (phrase) => run(() => sdk.Mnemonic.validate(phrase)),
    generatePrivateKey: () => run(() => readAndFree(sdk.Keypair.random(), ({ privateKey }) => privateKey)),
    derivePrivateKey: (secret, path) =>
      run(() =>
        atMaster(secret, (master) =>
          readAndFree(master.derivePath(toPath(path)), (derived) => readAndFree(derived.toPrivateKey(), String)),
        ),
      ),
    derivePublicKeys: (secret, chain, start, count) =>
      run(() =>
        atMaster(secret, (master) =>
          readAndFree(sdk.PublicKeyGenerator.fromMasterXPrv(master, false, BigInt(chain.account)), (generator) =>
            textsOf(
              chain.change
                ? generator.changePubkeys(start, start + count)
                : generator.receivePubkeys(start, start + count),
            ),
          ),
        ),
      ),
    deriveExtendedPublicKey: (secret, { account, purpose }, prefix) =>
      run(() =>
        atMaster(secret, (master) =>
          readAndFree(master.derivePath(`m/${purpose}'/111111'/${account}'`), (derived) =>
            readAndFree(derived.toXPub(), (key) => key.intoString(prefix)),
          ),
        ),
      ),
    publicKey: (privateKey) =>
      run(() => {
        const compressed = readAndFree(new sdk.PrivateKey(privateKey), (key) => readAndFree(key.toPublicKey(), String))
        return { compressed, xOnly: compressed.slice(2) }
      }),
    address: (publicKey, network) =>
      run(() => readAndFree(new sdk.PublicKey(publicKey), (key) => readAndFree(key.toAddress(network), String))),
    signHashes: (hashes, privateKey) => run(() => signHashes(sdk, hashes, privateKey)),
    signMessage: (message, privateKey) => run(() => sdk.signMessage({ message, privateKey })),
    verifyMessage: (message, signature, publicKey) => run(() => sdk.verifyMessage({ message, signature, publicKey })),
  }
}

function toPath({ account, cosigner, change, index }: KeyPath): string {
  const root = cosigner === undefined ? `m/44'/111111'/${account}'` : `m/45'/111111'/${account}'/${cosigner}`
  return `${root}/${change ? 1 : 0}/${index}`
}

/**
 * Quirk: public keys are declared as objects or strings, and the methods that return strings
 * (`receivePubkeysAsStrings`) are missing in some versions.
 */
const textsOf = (keys: readonly (PublicKey | string)[]): string[] =>
  keys.map((key) => (typeof key === 'string' ? key : readAndFree(key, String)))

/** Push 65 bytes: a BIP-340 signature and SIGHASH_ALL. */
const SCRIPT = /^41[0-9a-f]{128}01$/

/**
 * Signs 32-byte sighashes; returns the whole signature script of each, hex.
 * Quirk: `signScriptHash` is declared to take anything, but accepts hex only, and returns a script, not a signature.
 */
const signHashes = (sdk: KaspaSdk, hashes: readonly Uint8Array[], privateKey: string): readonly string[] =>
  readAndFree(new sdk.PrivateKey(privateKey), (key) =>
    hashes.map((hash) => toScript(sdk.signScriptHash(toHex(hash), key))),
  )

function toScript(script: string): string {
  if (SCRIPT.test(script)) return script
  throw new ChainError("The given SDK's signScriptHash returns no Schnorr signature script", {
    code: 'sdk-unsupported',
    argument: 'sdk',
    hint: 'Use a Kaspa WASM SDK 0.15 or later.',
  })
}

/**
 * Reads plain data from a WASM object and frees it, also when the SDK throws: keys would otherwise stay in its memory
 * until garbage collection. After a panic nothing is freed: the instance is discarded.
 */
function readAndFree<Source extends WasmObject, Data>(source: Source, read: (source: Source) => Data): Data {
  const data = orFree(source, () => read(source))
  source.free()
  return data
}

function orFree<Data>(source: WasmObject, read: () => Data): Data {
  try {
    return read()
  } catch (thrown) {
    if (!isPanic(thrown)) source.free()
    throw thrown
  }
}

/** Whether the WASM itself trapped: a Rust panic, memory out of bounds. Invalid arguments throw ordinary errors. */
export const isPanic = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError

/**
 * Quirk: a panic does not unwind. Locks stay locked and objects borrowed, so that further calls may return wrong
 * results or panic; the instance must be replaced.
 */
export const panicked = (cause: unknown): ChainError =>
  new ChainError(withDetails('The Kaspa WASM module has panicked', cause), {
    code: 'wasm-panicked',
    cause,
    hint: 'Call init() again for a new instance. The panic message is on the console.',
  })
