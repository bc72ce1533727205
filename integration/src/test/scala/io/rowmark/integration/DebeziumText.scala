package io.rowmark.integration

import java.io.StringWriter

import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.JsonGenerator

/** Records as Debezium's JSON converter writes them, with their schema or without. */
object DebeziumText {
  val Unavailable = "__debezium_unavailable_value"

  private val factory = new JsonFactory

  def record(
      payload: Vector[(String, Any)],
      typed: Boolean,
      grown: Boolean,
      evolved: Boolean,
      key: List[String]
  ): String = {
    val value: Any =
      if (typed) Vector("schema" -> envelope(grown, evolved, key), "payload" -> payload)
      else payload
    val text = new StringWriter
    val json = factory.createGenerator(text)
    write(json, value)
    json.close()
    text.toString
  }

  private def envelope(grown: Boolean, evolved: Boolean, key: List[String]): Any = {
    def column(name: String, kind: String): Any = Vector[(String, Any)](
      "type" -> kind,
      "optional" -> !key.contains(name),
      "field" -> name
    )
    val columns = List(
      column("id", "int64"),
      column("code", "string"),
      column("qty", if (grown) "int64" else "int32"),
      column("note", "string"),
      column("big", "string")
    ) ++ (if (evolved) List(column("extra", "string")) else Nil)
    def image(name: String): Any = Vector[(String, Any)](
      "type" -> "struct",
      "fields" -> columns,
      "optional" -> true,
      "name" -> "shop.public.things.Value",
      "field" -> name
    )
    Vector[(String, Any)](
      "type" -> "struct",
      "fields" -> List(image("before"), image("after")),
      "optional" -> false,
      "name" -> "shop.public.things.Envelope"
    )
  }

  private def write(json: JsonGenerator, value: Any): Unit = value match {
    case null           => json.writeNull()
    case text: String   => json.writeString(text)
    case number: Int    => json.writeNumber(number)
    case number: Long   => json.writeNumber(number)
    case flag: Boolean  => json.writeBoolean(flag)
    case items: List[_] =>
      json.writeStartArray()
      items.foreach(write(json, _))
      json.writeEndArray()
    case fields: Vector[_] =>
      json.writeStartObject()
      fields.foreach { field =>
        val (name, inner) = field.asInstanceOf[(String, Any)]
        json.writeFieldName(name)
        write(json, inner)
      }
      json.writeEndObject()
    case other => throw new IllegalArgumentException(s"Not for JSON: ${other.getClass}")
  }
}
