import { isHex } from '../model/hex.js'
import type { KeyChain, MnemonicSecret, SdkPort, SigningRequest, VerificationPort } from './port.js'

/** The order of secp256k1, hex: private keys are smaller. */
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

const INDEX_END = 2 ** 31

/**
 * A port that refuses what the libraries treat differently, before they are called, with an `Error` that quotes no
 * argument. The WASM SDK accepts 65-byte public keys in places, and signatures with trailing bytes; scure accepts 15,
 * 18 and 21 words. Mnemonic and passphrase are normalised (NFKD) as BIP-39 requires, which the WASM SDK does not do.
 */
export function checkedPort(port: SdkPort): SdkPort {
  const { isValidMnemonic, address, verifyMessage } = checkedVerification(port)
  const checkSecret = ({ phrase, passphrase }: MnemonicSecret): MnemonicSecret => {
    check(isValidMnemonic(phrase), 'The mnemonic is not valid')
    check(!/\p{Surrogate}/u.test(passphrase), 'The passphrase is not well-formed text')
    return { phrase: normalise(phrase), passphrase: normalise(passphrase) }
  }
  return {
    ...port,
    isValidMnemonic,
    derivePrivateKey: (secret, path) => {
      checkChain(path, path.index, 1)
      checkIndex(path.cosigner ?? 0)
      return port.derivePrivateKey(checkSecret(secret), path)
    },
    derivePublicKeys: (secret, chain, start, count) => {
      checkChain(chain, start, count)
      return port.derivePublicKeys(checkSecret(secret), chain, start, count)
    },
    deriveExtendedPublicKey: (secret, account, prefix) => {
      checkIndex(account.account)
      return port.deriveExtendedPublicKey(checkSecret(secret), account, prefix)
    },
    publicKey: (privateKey) => port.publicKey(checkPrivateKey(privateKey)),
    address,
    signHashes: (hashes, privateKey) => {
      checkSigning({ hashes, privateKey })
      return port.signHashes(hashes, privateKey)
    },
    ...(port.signHashesAsync !== undefined && {
      signHashesAsync: async (requests, options) => {
        requests.forEach(checkSigning)
        return (await port.signHashesAsync?.(requests, options)) ?? []
      },
    }),
    signMessage: (message, privateKey) => port.signMessage(message, checkPrivateKey(privateKey)),
    verifyMessage,
  }
}

/** The same for the functions that need no secret. */
export const checkedVerification = (port: VerificationPort): VerificationPort => ({
  isValidMnemonic: (phrase) => {
    const normalised = normalise(phrase)
    return [12, 24].includes(normalised.split(' ').length) && port.isValidMnemonic(normalised)
  },
  address: (publicKey, network) => port.address(checkPublicKey(publicKey), network),
  verifyMessage: checkedVerifyMessage(port.verifyMessage),
})

/** The same for one function, to keep the word list out of bundles that only verify messages. */
export const checkedVerifyMessage =
  (verifyMessage: VerificationPort['verifyMessage']): VerificationPort['verifyMessage'] =>
  (message, signature, publicKey) => {
    check(isHex(signature, 64), 'The signature is not 64 bytes in hex')
    return verifyMessage(message, signature, checkPublicKey(publicKey))
  }

const normalise = (text: string): string => text.normalize('NFKD')

function checkChain({ account }: KeyChain, start: number, count: number): void {
  checkIndex(account)
  checkIndex(start)
  check(Number.isInteger(count) && count >= 0 && start + count <= INDEX_END, 'The indexes end after 2147483647')
}

function checkIndex(index: number): void {
  const isIndex = Number.isInteger(index) && index >= 0 && index < INDEX_END
  check(isIndex, 'An index is not a whole number from 0 to 2147483647')
}

function checkSigning({ hashes, privateKey }: SigningRequest): void {
  check(
    hashes.every((hash) => hash.length === 32),
    'A hash is not 32 bytes',
  )
  checkPrivateKey(privateKey)
}

/** Lower-case hex of equal length compares as numbers do. */
function checkPrivateKey(key: string): string {
  check(
    isHex(key, 32) && key > '0'.repeat(64) && key < ORDER,
    'The private key is not from 1 to the order of secp256k1',
  )
  return key
}

function checkPublicKey(key: string): string {
  check(isHex(key, 32) || (isHex(key, 33) && /^0[23]/.test(key)), 'The public key is neither compressed nor x-only')
  return key
}

function check(condition: boolean, reason: string): void {
  if (!condition) throw new Error(reason)
}
