package io.rowmark.formats.capability;

/** A statement together with where it comes from. */
public record Stated<T>(T value, Evidence evidence) {}
