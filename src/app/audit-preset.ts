/** Where the options publish what the preset that they name would leave out. */
import { type Finding, finding } from '../diagnostics/finding.ts'
import { presets } from '../model/presets.ts'
import { contentKinds, type Preset, type Visibility } from '../model/publication.ts'

/** A note for each kind that a preset leaves out and the options show. It stands in no file. */
export function presetFindings(preset: Preset, visibility: Visibility): Finding[] {
  return contentKinds
    .filter((kind) => presets[preset][kind] === 'omit' && visibility[kind] !== 'omit')
    .map((kind) => finding('loosened-preset', { file: '' }, `Preset: \`${preset}\`; kind: \`${kind}\`.`))
}
