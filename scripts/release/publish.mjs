import { execFileSync } from 'node:child_process'

/**
 * Publishes what the registry lacks, and tags the commit of a release. The workflow's `changesets/action` takes a line
 * `New tag:` as a release, and pushes the tag `v` with the version, which must exist: it makes none. A run that ended
 * between the registry and the tag is completed by the next one. `npm(args, cwd)` runs npm, `print` gets each line.
 */
export function publish({ packed, tag, root, npm, print }) {
  for (const { name, version, tarball } of packed) {
    if (isPublished(npm, root, `${name}@${version}`)) print(`${name}@${version} is published already.`)
    else npm(['publish', tarball, '--access', 'public', '--provenance', '--tag', tag], root)
  }
  if (tag === 'canary') return
  const release = `v${packed[0].version}`
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  if (git('tag', '--list', release) === release) return
  git('tag', release)
  print(`New tag: ${release}`)
}

/** Whether a version is on the registry. */
function isPublished(npm, root, specifier) {
  try {
    return npm(['view', specifier, 'version'], root).trim() === specifier.slice(specifier.lastIndexOf('@') + 1)
  } catch {
    return false // not found
  }
}
