import type { KeyChain, MnemonicSecret, SdkPort } from '../port.js'
import { normalised } from './normalised-text.js'
import { textsOf } from './public-keys.js'
import { reading } from './reading.js'
import type { ExtendedPrivateKey, KaspaSdk } from './shape.js'
import { signHashes } from './signature-script.js'

/** What the calls of an instance are run by: it may turn what they throw into something better. */
export type Run = <Result>(call: () => Result) => Result

/** An SDK instance behind the port: strings and numbers in and out, every WASM object freed before a call returns. */
export function createAdapter(sdk: KaspaSdk, run: Run): Omit<SdkPort, 'broken$'> {
  const atMaster = <Data>({ phrase, passphrase }: MnemonicSecret, read: (master: ExtendedPrivateKey) => Data): Data =>
    reading(new sdk.Mnemonic(normalised(phrase)), (mnemonic) =>
      reading(new sdk.XPrv(mnemonic.toSeed(normalised(passphrase))), read),
    )
  return {
    generateMnemonic: (wordCount) => run(() => reading(sdk.Mnemonic.random(wordCount), ({ phrase }) => phrase)),
    isValidMnemonic: (phrase) => run(() => sdk.Mnemonic.validate(normalised(phrase))),
    generatePrivateKey: () => run(() => reading(sdk.Keypair.random(), ({ privateKey }) => privateKey)),
    derivePrivateKey: (secret, path) =>
      run(() =>
        atMaster(secret, (master) =>
          reading(master.derivePath(`${toChainPath(path)}/${path.index}`), (derived) =>
            reading(derived.toPrivateKey(), String),
          ),
        ),
      ),
    derivePublicKeys: (secret, chain, start, count) =>
      run(() =>
        atMaster(secret, (master) =>
          reading(sdk.PublicKeyGenerator.fromMasterXPrv(master, false, BigInt(chain.account)), (generator) =>
            textsOf(
              chain.change
                ? generator.changePubkeys(start, start + count)
                : generator.receivePubkeys(start, start + count),
            ),
          ),
        ),
      ),
    publicKey: (privateKey) =>
      run(() => {
        const compressed = reading(new sdk.PrivateKey(privateKey), (key) => reading(key.toPublicKey(), String))
        return { compressed, xOnly: compressed.slice(2) }
      }),
    address: (publicKey, network) =>
      run(() => reading(new sdk.PublicKey(publicKey), (key) => reading(key.toAddress(network), String))),
    signHashes: (hashes, privateKey) => run(() => signHashes(sdk, hashes, privateKey)),
    signMessage: (message, privateKey) => run(() => sdk.signMessage({ message, privateKey })),
    verifyMessage: (message, signature, publicKey) => run(() => sdk.verifyMessage({ message, signature, publicKey })),
  }
}

const toChainPath = ({ account, change }: KeyChain): string => `m/44'/111111'/${account}'/${change ? 1 : 0}`
