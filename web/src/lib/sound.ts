// Sounds, made by code: a card on cloth, a coin on a coin, a soft bell. Nothing is heard until it is asked for.

import { device } from "./device.svelte";

export type Sound = "card" | "coin" | "bell" | "sweep" | "fanfare";

let context: AudioContext | null = null;

export function play(sound: Sound) {
  if (!device.settings.sound || (document.hidden && sound !== "bell")) return; // a bell is meant to call people back
  context ??= new AudioContext();
  void context.resume();
  MADE[sound](context, context.currentTime);
}

const MADE: Record<Sound, (audio: AudioContext, at: number) => void> = {
  card: (audio, at) => rustle(audio, at, 0.07, 2600, 0.12),
  sweep: (audio, at) => rustle(audio, at, 0.22, 1400, 0.1),
  coin: (audio, at) => {
    tone(audio, at, 3120, 0.16, 0.05);
    tone(audio, at + 0.012, 4710, 0.11, 0.03);
  },
  bell: (audio, at) => {
    tone(audio, at, 880, 0.9, 0.06);
    tone(audio, at, 1760, 0.5, 0.02);
  },
  fanfare: (audio, at) =>
    [523, 659, 784, 1047].forEach((pitch, step) => tone(audio, at + 0.13 * step, pitch, step < 3 ? 0.4 : 1.2, 0.06)),
};

/** Noise through a narrow window, dying away. */
function rustle(audio: AudioContext, at: number, seconds: number, pitch: number, loudness: number) {
  const noise = audio.createBuffer(1, audio.sampleRate * seconds, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let each = 0; each < samples.length; each++)
    samples[each] = (Math.random() * 2 - 1) * (1 - each / samples.length) ** 2;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const window = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source
    .connect(window)
    .connect(new GainNode(audio, { gain: loudness }))
    .connect(audio.destination);
  source.start(at);
}

/** A tone that dies away. */
function tone(audio: AudioContext, at: number, pitch: number, seconds: number, loudness: number) {
  const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  const gain = new GainNode(audio, { gain: loudness });
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + seconds);
}
