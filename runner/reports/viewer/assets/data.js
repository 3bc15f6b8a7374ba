"use strict";
// The data of the page: a table of all attempts, and blocks with their details, which are decompressed when needed.

const CACHED_BLOCKS = 24;
const cachedBlocks = new Map();

async function unpack(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function loadBlock(number) {
  const found = cachedBlocks.get(number) || unpack(`block-${number}`);
  cachedBlocks.delete(number); // the last one used is the last one dropped
  cachedBlocks.set(number, found);
  if (cachedBlocks.size > CACHED_BLOCKS) cachedBlocks.delete(cachedBlocks.keys().next().value);
  return found;
}

// The attempt in a row of the table, with its program, and all attempts at the same sample.
async function loadAttempt(row) {
  const { block, place } = page.columns;
  const content = await loadBlock(block[row]);
  const attempt = content.samples[place[row]];
  const group = content.samples.filter((one) => one.group === attempt.group);
  return { attempt, group, program: content.programs[attempt.program], programs: content.programs };
}
