// `npm run lines`: how large the product is, and what proves it.
import { dirname } from 'node:path';
import { readSources } from './read-sources.ts';
import { describeTree, measureTree } from './tree-figures.ts';

console.log(describeTree(measureTree(readSources(dirname(import.meta.dirname)))).join('\n'));
