/**
 * The first page of the API reference: each entry point with its sentence of README.md, and a link to its reference.
 */

/** Folders of the reference whose name is that of the source, by entry point. */
const FOLDERS = {
  'vue-chain': 'index',
  'vue-chain/core': 'engine',
  'vue-chain/nuxt/server': 'adapters/nuxt/runtime/server',
  'vue-chain/testing/vue': 'adapters/vue/testing',
}

/** `hasReference` says whether a folder of the reference exists. */
export function toApiIndex(readme, hasReference) {
  const [, table = ''] = /\n(\| entry point [\s\S]*?\n)\n/.exec(readme) ?? []
  if (table === '') throw new Error('README.md has no table of entry points.')
  const linked = table.replace(/`(vue-chain(?:\/[\w./-]+)?)`/g, (code, entry) => {
    const folder = FOLDERS[entry] ?? entry.replace('vue-chain/', '')
    return hasReference(folder) ? `[${code}](./${folder}/index.md)` : code
  })
  return [
    '# API reference',
    'Every public name of every entry point, from its declarations. To find a function by what it does, see [Functions by task](../functions.md).',
    linked.replace(/\]\(docs\//g, '](../').trim(),
    '',
  ].join('\n\n')
}
