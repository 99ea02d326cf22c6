import type { KeyPath, MnemonicSecret, SdkPort } from '../port.js'
import { textsOf } from './public-keys.js'
import { readAndFree } from './read-and-free.js'
import type { ExtendedPrivateKey, KaspaSdk } from './shape.js'
import { signHashes } from './signature-script.js'

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
