const SECRET_NAME = /key|token|secret|passw|passphrase|auth|sig|credential|session|jwt/i

/** A URL for errors and logs: user and password, and query values whose names suggest a credential, are `***`. */
export function maskUrl(url: string): string {
  const [, start = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const bare = start.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//***@')
  return query === '' ? bare + fragment : `${bare}?${query.split('&').map(maskPair).join('&')}${fragment}`
}

function maskPair(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return SECRET_NAME.test(name) && pair.includes('=') ? `${name}=***` : pair
}
